import { parseArgs } from 'node:util';
import {
  accountStore,
  LIMIT_OPTIONS,
  type LimitOptions,
  readLimitChanges,
} from '../lib/keys/account-limits.ts';
import { type KeyStore, KeyStoreError } from '../lib/keys/api-keys.ts';
import { deployedTable } from '../lib/keys/deployed-keys.ts';
import { TermsError } from '../lib/keys/key-terms.ts';
import { siblingTable } from '../lib/keys/sibling-table.ts';
import { LocalCloudError } from '../lib/local/local-cloud-error.ts';
import { withLocalTable } from '../lib/local/local-table.ts';

const USAGE = `Sets and shows the limits of accounts.

Usage: npm run accounts -- set ACCOUNT [limits] [where]
       npm run accounts -- show ACCOUNT [where]
       npm run accounts -- list [where]

Limits, each a number, none, or default for the setting of the stack:
  --monthly-budget 100     money in a UTC month, in the currency of the prices
  --videos-at-once 5       videos that have not ended, up to 1000
  --creates-per-minute 30  new videos and images

Where the accounts are:
  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

class UsageError extends Error {}

const parse = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...LIMIT_OPTIONS,
        stack: { type: 'string' },
        data: { type: 'string', default: '.local' },
      },
    });
    return { ...values, command: positionals[0], account: positionals[1], more: positionals.length > 2 };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

type Options = ReturnType<typeof parse>;

const accountOf = ({ account }: Options): string => {
  if (account === undefined || !/^[\w.@-]{1,100}$/.test(account))
    throw new UsageError('ACCOUNT takes 1 to 100 letters, digits, dots, dashes, underscores or @.');
  return account;
};

const act =
  (options: Options, limits: LimitOptions) =>
  async (store: KeyStore): Promise<void> => {
    const accounts = accountStore(store);
    if (options.command === 'list') {
      for (const line of await accounts.list(Date.now())) console.log(line);
      return;
    }
    const account = accountOf(options);
    if (options.command === 'set') await accounts.set(account, readLimitChanges(limits));
    const line = await accounts.show(account, Date.now());
    if (line === undefined) throw new UsageError(`The account ${account} has no limits of its own.`);
    console.log(line);
    if (options.command === 'set') console.error('Within a minute it holds everywhere.');
  };

const run = async (args: readonly string[]): Promise<void> => {
  const options = parse(args);
  if (!['set', 'show', 'list'].includes(options.command ?? '') || options.more) throw new UsageError(USAGE);
  if (options.command !== 'list') accountOf(options);
  if (options.command === 'set') readLimitChanges(options);
  const work = act(options, options);
  if (options.stack !== undefined) return work(await deployedTable(options.stack, 'AccountTableName'));
  return withLocalTable(options.data, async (keys) => work(await siblingTable(keys, 'AccountsTable')));
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isForThePerson =
    error instanceof UsageError ||
    error instanceof TermsError ||
    error instanceof KeyStoreError ||
    error instanceof LocalCloudError;
  if (!isForThePerson) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
