import {
  endAllSessions,
  endSession,
  issueSignInUrl,
  listSessions,
} from '../lib/operator/console-sessions.ts';
import type { KeyStore } from '../lib/operator/key-store.ts';
import { baseUrlOf, type OperatedStack, tableOf } from '../lib/operator/operated-stack.ts';
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

const USAGE = `Signs people in to the console, lists and ends their sessions.

Usage: npm run -s console -- sign-in --account ACCOUNT [where]
       npm run -s console -- sessions --account ACCOUNT [where]
       npm run -s console -- revoke [SESSION_ID] --account ACCOUNT [where]

sign-in prints a link that works once, for 15 minutes. revoke ends one session, or
without an id all of them and the unused links.

Where the sessions are:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  'sign-in': { operands: 0, options: ['account'] },
  sessions: { operands: 0, options: ['account'] },
  revoke: { operands: 1, options: ['account'] },
};

const parse = (args: string[]) => {
  const given = readOptions({
    args,
    allowPositionals: true,
    tokens: true,
    options: { account: { type: 'string', default: '' }, ...WHERE_OPTIONS },
  });
  const command = readSubcommand(given, SUBCOMMANDS, USAGE);
  return { ...given.values, command, id: given.positionals[1] };
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
  (options: Options) =>
  async (stack: OperatedStack): Promise<void> => {
    const store = tableOf(stack, 'SessionTableName');
    if (options.command === 'revoke') return revoke(store, options);
    if (options.command === 'sessions') return printSessions(store, options.account);
    console.log(await issueSignInUrl(store, baseUrlOf(stack), options.account));
    console.error('The link works once, within 15 minutes.');
  };

await runCommand(async (args) => {
  const options = parse(args);
  readAccount(options.account, '--account');
  await onStack(options, act(options));
});
