import { OperatorError, stackBaseUrl, stackOutput, stackTable } from '../lib/operator/operated-stack.ts';
import {
  readAccount,
  readOptions,
  readSubcommand,
  runOnStack,
  WHERE_OPTIONS,
  WHERE_TEXT,
  type Work,
} from './operator-command.ts';

const USAGE = `Creates sign-in links for the console, and lists and ends sessions.

Usage: npm run -s console -- sign-in --account ACCOUNT [where]
       npm run -s console -- sessions --account ACCOUNT [where]
       npm run -s console -- revoke [SESSION_ID] --account ACCOUNT [where]

sign-in prints a link that works once, for 15 minutes. revoke ends one session, or,
without an id, all sessions and unused links.

Where the sessions are:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  'sign-in': { operands: 0, options: ['account'] },
  sessions: { operands: 0, options: ['account'] },
  revoke: { operands: 1, options: ['account'] },
};

const parse = (args: string[]) => {
  const options = { account: { type: 'string' }, ...WHERE_OPTIONS } as const;
  const given = readOptions({ args, allowPositionals: true, tokens: true, options });
  return { ...given.values, ...readSubcommand(given, SUBCOMMANDS, USAGE) };
};

const openSessions = async (stack: Parameters<Work>[0]) => ({
  ...(await import('../lib/operator/administration.ts')),
  table: stackTable(stack, 'SessionTableName'),
});

const signIn =
  (account: string): Work =>
  async (stack) => {
    if (stackOutput(stack, 'SignInLinks') === 'disabled')
      throw new OperatorError(
        'Sign-in links are disabled by the setting signIn.links: people sign in with the provider.',
      );
    const { issueSignInUrl, table } = await openSessions(stack);
    console.log(await issueSignInUrl(table, stackBaseUrl(stack), account));
    console.error('The link works once, within 15 minutes.');
  };

const list =
  (account: string): Work =>
  async (stack) => {
    const { listSessions, table } = await openSessions(stack);
    for (const { id, createdAt, expiresAt } of await listSessions(table, account))
      console.log(
        [id, new Date(createdAt).toISOString(), `until ${new Date(expiresAt).toISOString()}`].join('  '),
      );
  };

const revoke =
  (account: string, id: string | undefined): Work =>
  async (stack) => {
    const { endAllSessions, endSession, table } = await openSessions(stack);
    if (id === undefined) {
      await endAllSessions(table, account);
      console.log(`All sessions of ${account} are ended; they are rejected everywhere within a minute.`);
      return;
    }
    if (!(await endSession(table, account, id)))
      throw new OperatorError(`${account} has no session ${id}; sessions lists them.`);
    console.log(`${id} is ended; it is rejected everywhere within a minute.`);
  };

await runOnStack(parse, ({ command, operand, account: given }) => {
  const account = readAccount(given, '--account');
  if (command === 'sign-in') return signIn(account);
  return command === 'sessions' ? list(account) : revoke(account, operand);
});
