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

const ANOTHER =
  'ask for another with npm run console -- sign-in --account ACCOUNT, and --stack NAME for a deployed stack.';

type Dependencies = { readonly sessions: SessionAdministration; readonly now: Clock };

/** Turns the token of a link into a session, once. */
export const signIn = async (
  { sessions, now }: Dependencies,
  token: string,
): Promise<{ readonly session: Session; readonly cookie: string }> => {
  const id = sessionIdOf(token);
  if (id === undefined) throw invalidField('token', `token is not that of a sign-in link; ${ANOTHER}`);
  const opened = openSession(id, now());
  const session = await sessions.redeem(opened.session);
  if (session === undefined)
    throw invalidField('token', `token is unknown, was used or is older than 15 minutes; ${ANOTHER}`);
  return { session, cookie: opened.cookie };
};

/** Ends one session, that of the caller (`current`) or `all` of the account; returns what was ended. */
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
