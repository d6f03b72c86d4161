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

export const endSession = (id: string): Promise<unknown> =>
  sendJson('DELETE', `/v1/console/sessions/${encodeURIComponent(id)}`);

export const createLink = (): Promise<{ url: string; expires_at: number }> =>
  sendJson('POST', '/v1/console/links', {});
