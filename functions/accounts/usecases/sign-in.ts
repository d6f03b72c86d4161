import { invalidField } from '../../platform/domain/errors.ts';
import type { Clock, SessionAdministration } from '../../platform/domain/ports.ts';
import { openSession, type Session, sessionIdOf } from '../../platform/domain/session.ts';

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
