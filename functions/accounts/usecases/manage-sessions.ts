import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  isSessionId,
  openSession,
  type Session,
  type SessionAdministration,
  sessionIdOf,
} from '../../platform/domain/session.ts';

const GET_ANOTHER =
  'Get a new link with npm run console -- sign-in --account ACCOUNT, and --stack NAME for a deployed stack.';

type Dependencies = { readonly sessions: SessionAdministration; readonly now: Clock };

/** Exchanges the token of a sign-in link for a session; a token can be used once. */
export const signIn = async (
  { sessions, now }: Dependencies,
  token: string,
): Promise<{ readonly session: Session; readonly cookie: string }> => {
  const id = sessionIdOf(token);
  if (id === undefined) throw invalidField('token', `token is not from a sign-in link. ${GET_ANOTHER}`);
  const opened = openSession(id, now());
  const session = await sessions.redeem(opened.session);
  if (session === undefined)
    throw invalidField(
      'token',
      `token is unknown, was already used or is older than 15 minutes. ${GET_ANOTHER}`,
    );
  return { session, cookie: opened.cookie };
};

/** Ends one session, the caller's own (`current`) or `all` sessions of the account; returns the id, or `all`. */
export const endSession = async (
  sessions: SessionAdministration,
  { account, keyId }: Caller,
  which: string,
): Promise<string> => {
  if (which === 'all') {
    await sessions.endAll(account);
    return which;
  }
  const id = which === 'current' ? keyId : which;
  if (!isSessionId(id) || !(await sessions.end(account, id)))
    throw new DomainError('not_found', `Session ${which.slice(0, 64)} was not found.`, {
      param: 'session_id',
    });
  return id;
};
