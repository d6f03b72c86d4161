import { misuse, readOptions } from '../lib/command.ts';
import { GROUPING_NAMES, monthUsage, usageCsv, usageTable } from '../lib/operator/month-usage.ts';
import { OperatorError, stackTable } from '../lib/operator/operated-stack.ts';
import { readAccount, runOnStack, WHERE_OPTIONS } from './operator-command.ts';

const USAGE = `Shows what an account was charged in a UTC month.

Usage: npm run -s usage -- --account ACCOUNT [--month 2026-11] [--by key|person|model] [--csv] [where]

  --month   default: the current month
  --by      the rows of the table: by key (default), by person or by model
  --csv     one line per day, key, person, model and size instead of a table with a total

For upstreams that report what they charge, the table has columns with their cost and your margin.

Where the account is:`;

const OPTIONS = {
  account: { type: 'string' },
  month: { type: 'string', default: new Date().toISOString().slice(0, 7) },
  by: { type: 'string', default: 'key' },
  csv: { type: 'boolean', default: false },
  ...WHERE_OPTIONS,
} as const;

await runOnStack(
  USAGE,
  (args) => readOptions({ args, options: OPTIONS }).values,
  ({ account: given, month, by: wanted, csv, stack: deployed }) => {
    if (given === undefined) throw misuse('--account is missing');
    const account = readAccount(given, '--account');
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
      throw new OperatorError('--month must be a month such as 2026-11.');
    const by = GROUPING_NAMES.find((name) => name === wanted);
    if (by === undefined) throw new OperatorError('--by must be key, person or model.');
    return async (stack) => {
      const days = await monthUsage(stackTable(stack, 'UsageTableName'), account, month);
      if (deployed === undefined && days.length > 0)
        console.error('The local service charges nobody: the amounts are what its prices say.');
      if (!csv)
        return days.length === 0 ? `${account} was charged nothing in ${month}.` : usageTable(days, by);
      // Its lines have endings of their own.
      process.stdout.write(usageCsv(days));
      return undefined;
    };
  },
);
