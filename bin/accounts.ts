import { OperatorError, requirePrices } from '../lib/operator/operated-stack.ts';
import { LIMIT_OPTIONS, readLimitChanges } from '../lib/operator/terms.ts';
import { readAccount, runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Sets and shows the limits of accounts.

Usage: npm run accounts -- set ACCOUNT [limits] [where]
       npm run accounts -- show ACCOUNT [where]
       npm run accounts -- list [where]

Limits: a number, "none", or "default" for the setting of the stack
  --monthly-budget 100     amount per UTC month, in the currency of the prices
  --videos-at-once 5       unfinished videos
  --creates-per-minute 30  new videos and images
  --kept-megabytes 20000   storage for videos and images that people keep

Where the accounts are:`;

const openAccounts = async (stack: Parameters<Work>[0]) =>
  (await import('../lib/operator/administration.ts')).accountLimits(stack);

const show =
  (account: string): Work =>
  async (stack) => {
    const line = await (await openAccounts(stack)).show(account, Date.now());
    if (line === undefined) throw new OperatorError(`The account ${account} has no limits of its own.`);
    return line;
  };

const set =
  (account: string, changes: ReturnType<typeof readLimitChanges>): Work =>
  async (stack) => {
    if (typeof changes.monthlyBudget === 'string') requirePrices(stack);
    await (await openAccounts(stack)).set(account, changes);
    console.error('Changed limits take effect at once, the first limits of an account within a minute.');
    return show(account)(stack);
  };

await runSubcommand(USAGE, withOptions(LIMIT_OPTIONS), {
  set: {
    takesOperand: true,
    options: Object.keys(LIMIT_OPTIONS),
    prepare: (options) => set(readAccount(options.operand, 'ACCOUNT'), readLimitChanges(options)),
  },
  show: { takesOperand: true, prepare: ({ operand }) => show(readAccount(operand, 'ACCOUNT')) },
  list: { prepare: () => async (stack) => (await openAccounts(stack)).list(Date.now()) },
});
