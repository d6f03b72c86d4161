import { parseArgs } from 'node:util';
import {
  issueApiKey,
  type KeyStore,
  KeyStoreError,
  listApiKeys,
  revokeApiKey,
} from '../lib/keys/api-keys.ts';
import { deployedKeys } from '../lib/keys/deployed-keys.ts';
import { readKeyTerms, TermsError } from '../lib/keys/key-terms.ts';
import { LocalCloudError } from '../lib/local/local-cloud-error.ts';
import { withLocalTable } from '../lib/local/local-table.ts';

const USAGE = `Creates, lists and revokes API keys.

Usage: npm run keys -- create --account ACCOUNT [--name NAME] [where]
       npm run keys -- list [where]
       npm run keys -- revoke KEY_ID [where]

What a new key may do:
  --expires-in 30d     until when, in s, m, h or d from now
  --monthly-budget 20  how much it may spend in a UTC month, in the currency of the prices
  --requests-per-second 10
                       how many requests each instance of a function takes from it
  --admin              reads and manages its account, and makes no videos or images

Where the keys are:
  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

type Options = ReturnType<typeof parse>;

class UsageError extends Error {}

const parse = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        name: { type: 'string', default: '' },
        admin: { type: 'boolean', default: false },
        'expires-in': { type: 'string' },
        'monthly-budget': { type: 'string' },
        'requests-per-second': { type: 'string' },
        stack: { type: 'string' },
        data: { type: 'string', default: '.local' },
      },
    });
    return { ...values, command: positionals[0], operand: positionals[1] };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

const create = async (store: KeyStore, options: Options): Promise<void> => {
  const { account, name, admin } = options;
  if (account === undefined || !/^[\w.@-]{1,100}$/.test(account))
    throw new UsageError('--account takes 1 to 100 letters, digits, dots, dashes, underscores or @.');
  const given = {
    admin,
    expiresIn: options['expires-in'],
    monthlyBudget: options['monthly-budget'],
    requestsPerSecond: options['requests-per-second'],
  };
  const terms = readKeyTerms(given, Date.now());
  console.log(await issueApiKey(store, { account, name, ...terms }));
  console.error('This is the only time that the key is shown.');
};

const stateOf = ({ revokedAt, expiresAt }: Awaited<ReturnType<typeof listApiKeys>>[number]): string => {
  if (revokedAt !== undefined) return `revoked ${day(revokedAt)}`;
  if (expiresAt === undefined) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'active until'} ${day(expiresAt)}`;
};

const list = async (store: KeyStore): Promise<void> => {
  for (const key of await listApiKeys(store)) {
    const { id, account, name, lastFour, createdAt, kind, monthlyBudget, requestsPerSecond } = key;
    const terms = [
      ...(kind === 'admin' ? ['admin'] : []),
      ...(monthlyBudget === undefined ? [] : [`${monthlyBudget} a month`]),
      ...(requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests a second`]),
    ];
    console.log(
      [id, account, `…${lastFour}`, day(createdAt), stateOf(key), ...terms, name].join('  ').trimEnd(),
    );
  }
};

const revoke = async (store: KeyStore, { operand }: Options): Promise<void> => {
  if (operand === undefined) throw new UsageError('revoke takes the id of a key, as list shows it.');
  const key = await revokeApiKey(store, operand);
  if (key === undefined) throw new UsageError(`There is no key ${operand}; list shows the keys.`);
  console.log(`${key.id} of ${key.account} is revoked; within a minute it is refused everywhere.`);
};

const act =
  (options: Options) =>
  (store: KeyStore): Promise<void> => {
    switch (options.command) {
      case 'create':
        return create(store, options);
      case 'list':
        return list(store);
      default:
        return revoke(store, options);
    }
  };

const run = async (args: readonly string[]): Promise<void> => {
  const options = parse(args);
  if (!['create', 'list', 'revoke'].includes(options.command ?? '')) throw new UsageError(USAGE);
  if (options.stack !== undefined) return act(options)(await deployedKeys(options.stack));
  return withLocalTable(options.data, act(options));
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
