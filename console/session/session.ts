import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Feature } from '../../functions/platform/domain/features.ts';
import { ApiError } from '../api/errors.ts';
import { clearQueries } from '../api/query.ts';
import { type ConsoleSession, endSession } from '../api/session.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { notifyError } from './notices.ts';
import { type Action, isAllowed } from './permissions.ts';
import { readPreference, writePreference } from './storage.ts';

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

export const useCurrentSession = (): ConsoleSession => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('Use this within SessionContext');
  return session;
};

/** Whether the deployment has a feature that others leave out. */
export const useHasFeature = (feature: Feature): boolean => useCurrentSession().features.includes(feature);

export const useIsAllowed = (action: Action): boolean => isAllowed(useCurrentSession().role, action);

/** The page to return to after sign-in, stored because a sign-in link opens in another tab. */
const RETURN_PATH = 'return-to';

export const saveReturnPath = (path: string): void => writePreference(RETURN_PATH, path);

/** Accepts only a path of the console. */
export const readReturnPath = (): string => {
  const path = readPreference(RETURN_PATH);
  return path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/sign-in') ? path : '/';
};

export const takeReturnPath = (): string => {
  const path = readReturnPath();
  writePreference(RETURN_PATH, undefined);
  return path;
};

/** Remembers that somebody was signed in, to say that the session has ended. */
const SIGNED_IN = 'signed-in';

/** The provider leads back to a page by itself, so the stored path is used up too. */
export const noteSignIn = (): void => {
  writePreference(SIGNED_IN, 'yes');
  writePreference(RETURN_PATH, undefined);
};
export const noteSignOut = (): void => writePreference(SIGNED_IN, undefined);
export const hasSessionEnded = (): boolean => readPreference(SIGNED_IN) !== undefined;

/** Leaves the page, so that nothing of the session stays in memory; also ends the session at the provider. */
export const signOut = async (id: string): Promise<void> => {
  let providerUrl: string | undefined;
  try {
    providerUrl = await endSession(id);
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded) {
      notifyError(error);
      return;
    }
  }
  clearQueries();
  noteSignOut();
  location.assign(providerUrl ?? `${CONSOLE_BASE}/sign-in`);
};
