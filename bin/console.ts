import { OperatorError, stackBaseUrl, stackOutput } from '../lib/operator/operated-stack.ts';
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

/** Loads the SDK only after the options are checked. */
const administration = () => import('../lib/operator/administration.ts');

const signIn =
  (account: string): Work =>
  async (stack) => {
    if (stackOutput(stack, 'SignInLinks') === 'disabled')
      throw new OperatorError(
        'Sign-in links are disabled by the setting signIn.links: people sign in with the provider.',
      );
    const { issueSignInUrl } = await administration();
    console.log(await issueSignInUrl(stack, stackBaseUrl(stack), account));
    console.error('The link works once, within 15 minutes.');
  };

const list =
  (account: string): Work =>
  async (stack) => {
    const { listSessions } = await administration();
    for (const { id, createdAt, expiresAt } of await listSessions(stack, account))
      console.log(
        [id, new Date(createdAt).toISOString(), `until ${new Date(expiresAt).toISOString()}`].join('  '),
      );
  };

const revoke =
  (account: string, id: string | undefined): Work =>
  async (stack) => {
    const { endAllSessions, endSession } = await administration();
    if (id === undefined) {
      await endAllSessions(stack, account);
      console.log(`All sessions of ${account} are ended; they are rejected everywhere within a minute.`);
      return;
    }
    if (!(await endSession(stack, account, id)))
      throw new OperatorError(`${account} has no session ${id}; sessions lists them.`);
    console.log(`${id} is ended; it is rejected everywhere within a minute.`);
  };

await runOnStack(parse, ({ command, operand, account: given }) => {
  const account = readAccount(given, '--account');
  if (command === 'sign-in') return signIn(account);
  return command === 'sessions' ? list(account) : revoke(account, operand);
});
