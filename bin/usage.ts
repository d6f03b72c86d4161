import { parseArgs } from 'node:util';
import { type KeyStore, KeyStoreError } from '../lib/keys/api-keys.ts';
import { deployedTable } from '../lib/keys/deployed-keys.ts';
import { monthUsage, usageCsv, usageTable } from '../lib/keys/month-usage.ts';
import { siblingTable } from '../lib/keys/sibling-table.ts';
import { LocalCloudError } from '../lib/local/local-cloud-error.ts';
import { withLocalTable } from '../lib/local/local-table.ts';

const USAGE = `Shows what an account was charged in a UTC month.

Usage: npm run -s usage -- --account ACCOUNT [--month 2026-11] [--csv] [where]

  --month   this month unless given
  --csv     a line a day, key, model and size, instead of a table and its total

Where the account is:
  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

class UsageError extends Error {}

const parse = (args: readonly string[]) => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        account: { type: 'string' },
        month: { type: 'string', default: new Date().toISOString().slice(0, 7) },
        csv: { type: 'boolean', default: false },
        stack: { type: 'string' },
        data: { type: 'string', default: '.local' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

const run = async (args: readonly string[]): Promise<void> => {
  const { account, month, csv, stack, data } = parse(args);
  if (account === undefined) throw new UsageError(USAGE);
  if (!/^[\w.@-]{1,100}$/.test(account))
    throw new UsageError('--account takes 1 to 100 letters, digits, dots, dashes, underscores or @.');
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    throw new UsageError('--month takes a month such as 2026-11.');
  const show = async (store: KeyStore): Promise<void> => {
    const days = await monthUsage(store, account, month);
    if (csv) process.stdout.write(usageCsv(days));
    else if (days.length === 0) console.log(`${account} was charged nothing in ${month}.`);
    else console.log(usageTable(days).join('\n'));
  };
  if (stack !== undefined) return show(await deployedTable(stack, 'UsageTableName'));
  return withLocalTable(data, async (keys) => show(await siblingTable(keys, 'UsageTable')));
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isForThePerson =
    error instanceof UsageError || error instanceof KeyStoreError || error instanceof LocalCloudError;
  if (!isForThePerson) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
