import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CurrentSessionObject } from '../../functions/accounts/api/session-object.ts';
import { ApiError } from '../api/api-error.ts';
import { clearQueries } from '../api/query.ts';
import { endSession } from '../api/session.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { readPreference, writePreference } from '../parts/preferences.ts';
import { notifyError } from './notices.tsx';

export const SessionContext = createContext<CurrentSessionObject | undefined>(undefined);

export const useCurrentSession = (): CurrentSessionObject => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('Use this within SessionContext');
  return session;
};

/** The page to return to after sign-in, stored because a sign-in link opens in another tab. */
const RETURN_PATH = 'return-to';

export const saveReturnPath = (path: string): void => writePreference(RETURN_PATH, path);

/** Accepts only a path of the console. */
export const takeReturnPath = (): string => {
  const path = readPreference(RETURN_PATH);
  writePreference(RETURN_PATH, undefined);
  return path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/sign-in') ? path : '/';
};

/** Remembers that somebody was signed in, to say that the session has ended. */
const SIGNED_IN = 'signed-in';

export const noteSignIn = (): void => writePreference(SIGNED_IN, 'yes');
export const noteSignOut = (): void => writePreference(SIGNED_IN, undefined);
export const hasSessionEnded = (): boolean => readPreference(SIGNED_IN) !== undefined;

/** Reloads the page, so that nothing of the session stays in memory. */
export const signOut = async (id: string): Promise<void> => {
  try {
    await endSession(id);
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded) {
      notifyError(error);
      return;
    }
  }
  clearQueries();
  noteSignOut();
  location.assign(`${CONSOLE_BASE}/sign-in`);
};
