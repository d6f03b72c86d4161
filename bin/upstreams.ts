import { OperatorError } from '../lib/operator/operated-stack.ts';
import { runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Shows, checks, disables and enables the upstream generators.

Usage: npm run upstreams -- list [where]
       npm run upstreams -- check [where]
       npm run upstreams -- disable NAME [where]
       npm run upstreams -- enable NAME [where]

  list      state, pauses with their reason, limits and the counts of the UTC day
  check     calls each upstream with its credential and looks up its models, without charge
  disable   sends it no new videos and images within 5 seconds; running videos are still fetched
  enable    sends it new ones again, and ends its pauses

Where the upstreams are configured:`;

/** Imported late, so that wrong options are reported at once. */
const operator = () => import('../lib/operator/upstreams.ts');

const check: Work = async (stack) => {
  const { checkUpstreams, endingModels } = await operator();
  const checked = await checkUpstreams(stack);
  const width = Math.max(...checked.map(({ subject }) => subject.length));
  if (checked.some(({ isProblem }) => isProblem)) process.exitCode = 1;
  return [
    ...checked.map(({ subject, result }) => `${subject.padEnd(width)}  ${result}`),
    ...endingModels(stack, Date.now()),
  ];
};

const set = (command: 'disable' | 'enable', name: string | undefined): Work => {
  if (name === undefined) throw new OperatorError(`${command} requires the name of an upstream.`);
  return async (stack) => {
    const { disableUpstream, enableUpstream } = await operator();
    await (command === 'disable' ? disableUpstream : enableUpstream)(stack, name);
    return `${name} is ${command}d.`;
  };
};

await runSubcommand(USAGE, withOptions({}), {
  list: { prepare: () => async (stack) => (await operator()).describeUpstreams(stack, Date.now()) },
  check: { prepare: () => check },
  disable: { takesOperand: true, prepare: ({ operand }) => set('disable', operand) },
  enable: { takesOperand: true, prepare: ({ operand }) => set('enable', operand) },
});
