import { parseArgs } from 'node:util';
import { type KeyStore, KeyStoreError } from '../lib/keys/api-keys.ts';
import { endAllSessions, endSession, issueSignInUrl, listSessions } from '../lib/keys/console-sessions.ts';
import { deployedSessions } from '../lib/keys/deployed-keys.ts';
import { dataPath } from '../lib/local/data-folder.ts';
import { LocalCloudError } from '../lib/local/local-cloud-error.ts';
import { withLocalTable } from '../lib/local/local-table.ts';
import { lastBaseUrl } from '../lib/local/start/summary.ts';

const USAGE = `Signs people in to the console, lists and ends their sessions.

Usage: npm run -s console -- sign-in --account ACCOUNT [where]
       npm run -s console -- sessions --account ACCOUNT [where]
       npm run -s console -- revoke [SESSION_ID] --account ACCOUNT [where]

sign-in prints a link that works once, for 15 minutes. revoke ends one session, or
without an id all of them and the unused links.

Where the sessions are:
  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

const COMMANDS = ['sign-in', 'sessions', 'revoke'];
const ACCOUNT = /^[\w.@-]{1,100}$/;

class UsageError extends Error {}

const parse = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string', default: '' },
        stack: { type: 'string' },
        data: { type: 'string', default: '.local' },
      },
    });
    return { ...values, command: positionals[0] ?? '', id: positionals[1] };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

type Options = ReturnType<typeof parse>;

const printSessions = async (store: KeyStore, account: string): Promise<void> => {
  for (const { id, createdAt, expiresAt } of await listSessions(store, account))
    console.log(
      [id, new Date(createdAt).toISOString(), `until ${new Date(expiresAt).toISOString()}`].join('  '),
    );
};

const revoke = async (store: KeyStore, { account, id }: Options): Promise<void> => {
  if (id === undefined) {
    await endAllSessions(store, account);
    console.log(`All sessions of ${account} are ended; within a minute they are refused everywhere.`);
    return;
  }
  if (!(await endSession(store, account, id)))
    throw new UsageError(`${account} has no session ${id}; sessions shows them.`);
  console.log(`${id} is ended; within a minute it is refused everywhere.`);
};

const act =
  (options: Options, baseUrl: () => Promise<string>) =>
  async (store: KeyStore): Promise<void> => {
    if (options.command === 'revoke') return revoke(store, options);
    if (options.command === 'sessions') return printSessions(store, options.account);
    console.log(await issueSignInUrl(store, await baseUrl(), options.account));
    console.error('The link works once, within 15 minutes.');
  };

const run = async (args: readonly string[]): Promise<void> => {
  const options = parse(args);
  if (!COMMANDS.includes(options.command)) throw new UsageError(USAGE);
  if (!ACCOUNT.test(options.account))
    throw new UsageError('--account takes 1 to 100 letters, digits, dots, dashes, underscores or @.');
  if (options.stack !== undefined) {
    const { store, baseUrl } = await deployedSessions(options.stack);
    return act(options, async () => baseUrl)(store);
  }
  const summary = dataPath(options.data, 'summary');
  return withLocalTable(
    options.data,
    act(options, () => lastBaseUrl(summary)),
    'sessionStore',
  );
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
