import { ApiError } from './api-error.ts';
import { createQuery } from './query.ts';
import { getJson, onUnauthorized, sendJson } from './request.ts';
import type { Page, Session, SessionEntry } from './shapes.ts';
import { useQuery } from './use-query.ts';

const SESSION_PATH = '/v1/console/session';

export const getSession = (signal: AbortSignal): Promise<Session> => getJson(SESSION_PATH, signal);

const session = createQuery<[], Session>(getSession, { staleMs: 5 * 60_000 });

// Any page may learn first that the session has ended: then the session itself is asked for again.
onUnauthorized((path) => {
  if (path !== SESSION_PATH) void session.invalidate();
});

export const useSession = () => useQuery(session);

/** Begins before anything is drawn. */
export const fetchSession = (): Promise<void> => session.entry().fetch();

export const redeemLink = (token: string): Promise<SessionEntry> =>
  sendJson('POST', '/v1/console/sessions', { token });

export const sessions = createQuery<[], Page<SessionEntry>>((signal) =>
  getJson('/v1/console/sessions', signal),
);

/** Leaves the list at once: whoever then ends all others must not meet it again. */
const forgetSession = (id: string): void => {
  const known = sessions.entry().snapshot().data;
  if (known !== undefined)
    sessions.entry().set({ ...known, data: known.data.filter((session) => session.id !== id) });
  void sessions.invalidate();
};

/** One that is gone already, ended in another tab, is as good. */
export const endSession = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/v1/console/sessions/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
};

export const endOtherSession = async (id: string): Promise<void> => {
  await endSession(id);
  forgetSession(id);
};

export const createLink = (): Promise<{ url: string; expires_at: number }> =>
  sendJson('POST', '/v1/console/links', {});
