import { LIMIT_OPTIONS, type LimitOptions, readLimitChanges } from '../lib/operator/limit-changes.ts';
import { type OperatedStack, requirePrices, tableOf } from '../lib/operator/operated-stack.ts';
import {
  onStack,
  readAccount,
  readOptions,
  runCommand,
  UsageError,
  WHERE_OPTIONS,
  WHERE_TEXT,
} from './operator-command.ts';
import { readSubcommand } from './subcommand.ts';

const USAGE = `Sets and shows the limits of accounts.

Usage: npm run accounts -- set ACCOUNT [limits] [where]
       npm run accounts -- show ACCOUNT [where]
       npm run accounts -- list [where]

Limits, each a number, none, or default for the setting of the stack:
  --monthly-budget 100     money in a UTC month, in the currency of the prices
  --videos-at-once 5       videos that have not ended
  --creates-per-minute 30  new videos and images

Where the accounts are:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  set: { operands: 1, options: Object.keys(LIMIT_OPTIONS) },
  show: { operands: 1, options: [] },
  list: { operands: 0, options: [] },
};

const parse = (args: string[]) => {
  const given = readOptions({
    args,
    allowPositionals: true,
    tokens: true,
    options: { ...LIMIT_OPTIONS, ...WHERE_OPTIONS },
  });
  const command = readSubcommand(given, SUBCOMMANDS, USAGE);
  return { ...given.values, command, account: given.positionals[1] };
};

type Options = ReturnType<typeof parse>;

const act =
  (options: Options, limits: LimitOptions) =>
  async (stack: OperatedStack): Promise<void> => {
    const { accountStore } = await import('../lib/operator/account-limits.ts');
    const accounts = accountStore(tableOf(stack, 'AccountTableName'));
    if (options.command === 'list') {
      for (const line of await accounts.list(Date.now())) console.log(line);
      return;
    }
    const account = readAccount(options.account, 'ACCOUNT');
    if (options.command === 'set') {
      const changes = readLimitChanges(limits);
      if (typeof changes.monthlyBudget === 'string') requirePrices(stack);
      await accounts.set(account, changes);
    }
    const line = await accounts.show(account, Date.now());
    if (line === undefined) throw new UsageError(`The account ${account} has no limits of its own.`);
    console.log(line);
    if (options.command === 'set') console.error('Within a minute it holds everywhere.');
  };

await runCommand(async (args) => {
  const options = parse(args);
  if (options.command !== 'list') readAccount(options.account, 'ACCOUNT');
  if (options.command === 'set') readLimitChanges(options);
  await onStack(options, act(options, options));
});
