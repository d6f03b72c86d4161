import { OperatorError, requirePrices } from '../lib/operator/operated-stack.ts';
import { LIMIT_OPTIONS, readLimitChanges } from '../lib/operator/terms.ts';
import {
  readAccount,
  readOptions,
  readSubcommand,
  runOnStack,
  WHERE_OPTIONS,
  WHERE_TEXT,
  type Work,
} from './operator-command.ts';

const USAGE = `Sets and shows the limits of accounts.

Usage: npm run accounts -- set ACCOUNT [limits] [where]
       npm run accounts -- show ACCOUNT [where]
       npm run accounts -- list [where]

Limits: a number, "none", or "default" for the setting of the stack
  --monthly-budget 100     amount per UTC month, in the currency of the prices
  --videos-at-once 5       unfinished videos
  --creates-per-minute 30  new videos and images
  --kept-megabytes 20000   storage for videos and images that people keep

Where the accounts are:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  set: { operands: 1, options: Object.keys(LIMIT_OPTIONS) },
  show: { operands: 1, options: [] },
  list: { operands: 0, options: [] },
};

const parse = (args: string[]) => {
  const options = { ...LIMIT_OPTIONS, ...WHERE_OPTIONS };
  const given = readOptions({ args, allowPositionals: true, tokens: true, options });
  return { ...given.values, ...readSubcommand(given, SUBCOMMANDS, USAGE) };
};

type Options = ReturnType<typeof parse>;

const openAccounts = async (stack: Parameters<Work>[0]) => {
  const { accountLimits } = await import('../lib/operator/administration.ts');
  return accountLimits(stack);
};

const list: Work = async (stack) => {
  for (const line of await (await openAccounts(stack)).list(Date.now())) console.log(line);
};

const show =
  (account: string): Work =>
  async (stack) => {
    const line = await (await openAccounts(stack)).show(account, Date.now());
    if (line === undefined) throw new OperatorError(`The account ${account} has no limits of its own.`);
    console.log(line);
  };

const set = (account: string, options: Options): Work => {
  const changes = readLimitChanges(options);
  return async (stack) => {
    if (typeof changes.monthlyBudget === 'string') requirePrices(stack);
    await (await openAccounts(stack)).set(account, changes);
    await show(account)(stack);
    console.error('The limits take effect everywhere within a minute.');
  };
};

await runOnStack(parse, (options) => {
  if (options.command === 'list') return list;
  const account = readAccount(options.operand, 'ACCOUNT');
  return options.command === 'set' ? set(account, options) : show(account);
});
