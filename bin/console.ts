import { OperatorError, stackBaseUrl, stackOutput } from '../lib/operator/operated-stack.ts';
import { readAccount, runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Creates sign-in links for the console, and lists and ends sessions.

Usage: npm run -s console -- sign-in --account ACCOUNT [where]
       npm run -s console -- sessions --account ACCOUNT [where]
       npm run -s console -- revoke [SESSION_ID] --account ACCOUNT [where]

sign-in prints a link that works once, for 15 minutes. revoke ends one session, or,
without an id, all sessions and unused links.

Where the sessions are:`;

const OPTIONS = { account: { type: 'string' } } as const;

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
    const url = await issueSignInUrl(stack, stackBaseUrl(stack), account);
    console.error('The link works once, within 15 minutes.');
    return url;
  };

const list =
  (account: string): Work =>
  async (stack) => {
    const sessions = await (await administration()).listSessions(stack, account);
    return sessions.map(({ id, createdAt, expiresAt }) =>
      [id, new Date(createdAt).toISOString(), `until ${new Date(expiresAt).toISOString()}`].join('  '),
    );
  };

const revoke =
  (account: string, id: string | undefined): Work =>
  async (stack) => {
    const { endAllSessions, endSession } = await administration();
    if (id === undefined) {
      await endAllSessions(stack, account);
      return `All sessions of ${account} are ended; they are rejected everywhere within a minute.`;
    }
    if (!(await endSession(stack, account, id)))
      throw new OperatorError(`${account} has no session ${id}; sessions lists them.`);
    return `${id} is ended; it is rejected everywhere within a minute.`;
  };

const options = ['account'];

await runSubcommand(USAGE, withOptions(OPTIONS), {
  'sign-in': { options, prepare: ({ account }) => signIn(readAccount(account, '--account')) },
  sessions: { options, prepare: ({ account }) => list(readAccount(account, '--account')) },
  revoke: {
    options,
    takesOperand: true,
    prepare: ({ account, operand }) => revoke(readAccount(account, '--account'), operand),
  },
});
