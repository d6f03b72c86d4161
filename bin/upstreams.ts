import { OperatorError } from '../lib/operator/operated-stack.ts';
import {
  readOptions,
  readSubcommand,
  runOnStack,
  WHERE_OPTIONS,
  WHERE_TEXT,
  type Work,
} from './operator-command.ts';

const USAGE = `Shows, checks, disables and enables the upstream generators.

Usage: npm run upstreams -- list [where]
       npm run upstreams -- check [where]
       npm run upstreams -- disable NAME [where]
       npm run upstreams -- enable NAME [where]

  list      state, pauses with their reason, limits and the counts of the UTC day
  check     calls each upstream with its credential and looks up its models, without charge
  disable   sends it no new videos and images within 5 seconds; running videos are still fetched
  enable    sends it new ones again, and ends its pauses

Where the upstreams are configured:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  list: { operands: 0, options: [] },
  check: { operands: 0, options: [] },
  disable: { operands: 1, options: [] },
  enable: { operands: 1, options: [] },
};

/** Imported late, so that wrong options are reported at once. */
const operator = () => import('../lib/operator/upstreams.ts');

const list: Work = async (stack) => {
  const { describeUpstreams } = await operator();
  for (const line of await describeUpstreams(stack, Date.now())) console.log(line);
};

const check: Work = async (stack) => {
  const { checkUpstreams, endingModels } = await operator();
  const checked = await checkUpstreams(stack);
  const width = Math.max(...checked.map(({ subject }) => subject.length));
  for (const { subject, result } of checked) console.log(`${subject.padEnd(width)}  ${result}`);
  for (const warning of endingModels(stack, Date.now())) console.log(warning);
  if (checked.some(({ isProblem }) => isProblem)) process.exitCode = 1;
};

const set =
  (name: string, isDisabled: boolean): Work =>
  async (stack) => {
    const { disableUpstream, enableUpstream } = await operator();
    await (isDisabled ? disableUpstream : enableUpstream)(stack, name);
    console.log(`${name} is ${isDisabled ? 'disabled' : 'enabled'}.`);
  };

await runOnStack(
  (args) => {
    const given = readOptions({ args, allowPositionals: true, tokens: true, options: WHERE_OPTIONS });
    return { ...given.values, ...readSubcommand(given, SUBCOMMANDS, USAGE) };
  },
  ({ command, operand }) => {
    if (command === 'list') return list;
    if (command === 'check') return check;
    if (operand === undefined) throw new OperatorError(`${command} requires the name of an upstream.`);
    return set(operand, command === 'disable');
  },
);
