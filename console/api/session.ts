import type {
  CurrentSessionObject,
  LinkObject,
  SessionList,
  SessionObject,
} from '../../functions/accounts/api/session-object.ts';
import { largestImage } from '../../functions/platform/domain/models.ts';
import { ApiError } from './api-error.ts';
import { createQuery } from './query.ts';
import { getJson, onUnauthorized, sendJson } from './request.ts';
import { useQuery } from './use-query.ts';

const SESSION_PATH = '/v1/console/session';

export const getSession = (signal: AbortSignal): Promise<CurrentSessionObject> =>
  getJson(SESSION_PATH, signal);

const session = createQuery<[], CurrentSessionObject>(getSession, { staleMs: 5 * 60_000 });

// Any request can be the first to find that the session has ended.
onUnauthorized((path) => {
  if (path !== SESSION_PATH) void session.invalidate();
});

export const useSession = () => useQuery(session);

/** How many bytes the images of a request may have together. */
export const imageBytes = (): number => session.entry().snapshot().data?.image_bytes ?? largestImage();

/** Starts before the first render, so that the page appears sooner. */
export const fetchSession = (): Promise<void> => session.entry().fetch();

export const redeemLink = (token: string): Promise<SessionObject> =>
  sendJson('POST', '/v1/console/sessions', { token });

export const sessions = createQuery<[], SessionList>((signal) => getJson('/v1/console/sessions', signal));

/** Succeeds if the session has already ended, for example in another tab. */
export const endSession = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/v1/console/sessions/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
};

export const endOtherSession = async (id: string): Promise<void> => {
  await endSession(id);
  // Removed from the list at once, so that "Sign out everywhere" does not end it a second time.
  const known = sessions.entry().snapshot().data;
  if (known !== undefined)
    sessions.entry().set({ ...known, data: known.data.filter((session) => session.id !== id) });
  void sessions.invalidate();
};

export const createLink = (): Promise<LinkObject> => sendJson('POST', '/v1/console/links', {});
