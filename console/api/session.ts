import { useQuery } from '@tanstack/preact-query';
import { getJson, sendJson } from './request.ts';
import type { Page, Session, SessionEntry } from './shapes.ts';

export const SESSION_KEY = ['session'] as const;

export const useSession = () =>
  useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => getJson<Session>('/v1/console/session', signal),
    staleTime: 5 * 60_000,
  });

export const redeemLink = (token: string): Promise<SessionEntry> =>
  sendJson('POST', '/v1/console/sessions', { token });

export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => getJson<Page<SessionEntry>>('/v1/console/sessions', signal),
  });

export const endSession = (id: string): Promise<unknown> =>
  sendJson('DELETE', `/v1/console/sessions/${encodeURIComponent(id)}`);

export const createLink = (): Promise<{ url: string; expires_at: number }> =>
  sendJson('POST', '/v1/console/links', {});
