import { monthUsage, usageCsv, usageTable } from '../lib/operator/month-usage.ts';
import { type OperatedStack, tableOf } from '../lib/operator/operated-stack.ts';
import {
  onStack,
  readAccount,
  readOptions,
  runCommand,
  UsageError,
  WHERE_OPTIONS,
  WHERE_TEXT,
} from './operator-command.ts';

const USAGE = `Shows what an account was charged in a UTC month.

Usage: npm run -s usage -- --account ACCOUNT [--month 2026-11] [--csv] [where]

  --month   this month unless given
  --csv     a line a day, key, model and size, instead of a table and its total

Where the account is:
${WHERE_TEXT}`;

const OPTIONS = {
  account: { type: 'string' },
  month: { type: 'string', default: new Date().toISOString().slice(0, 7) },
  csv: { type: 'boolean', default: false },
  ...WHERE_OPTIONS,
} as const;

await runCommand(async (args) => {
  const { values } = readOptions({ args, options: OPTIONS });
  if (values.account === undefined) throw new UsageError(USAGE);
  const account = readAccount(values.account, '--account');
  const { month, csv } = values;
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    throw new UsageError('--month takes a month such as 2026-11.');
  await onStack(values, async (stack: OperatedStack) => {
    const days = await monthUsage(tableOf(stack, 'UsageTableName'), account, month);
    if (csv) process.stdout.write(usageCsv(days));
    else if (days.length === 0) console.log(`${account} was charged nothing in ${month}.`);
    else console.log(usageTable(days).join('\n'));
  });
});
