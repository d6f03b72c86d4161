import { largestImage } from '../../functions/catalogue/domain/models.ts';
import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import type { SessionObject } from '../../functions/identity/api/session-object.ts';
import type { Feature } from '../../functions/platform/domain/features.ts';
import { serverNow } from './clock.ts';
import { ApiError } from './errors.ts';
import { useQuery } from './hooks.ts';
import { createQuery } from './query.ts';
import { createRenewal } from './renewal.ts';
import { getJson, onRefusal, RENEW_CODE, RENEW_PATH, sendJson, setRenewal } from './request.ts';

const SESSION_PATH = '/v1/console/session';
const REFRESH_MS = 5 * 60_000;

export type ConsoleSession = CurrentSessionObject;

export const getSession = (signal: AbortSignal): Promise<ConsoleSession> => getJson(SESSION_PATH, signal);

/** Polled, because an admin may change the role, and others spend from the same budget. */
const session = createQuery<[], ConsoleSession>(getSession, {
  staleMs: REFRESH_MS,
  pollMs: () => REFRESH_MS,
});

/** After a change of the budget or the role. */
export const refreshSession = (): void => void session.invalidate();

// Any request can be the first to find that the session has ended, or that the role has changed.
onRefusal((path) => {
  if (path !== SESSION_PATH && path !== RENEW_PATH) refreshSession();
});

const hasEnded = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.code !== RENEW_CODE;

setRenewal(
  createRenewal({
    now: serverNow,
    renewAt: () => session.entry().snapshot().data?.renew_at ?? undefined,
    renew: async () => {
      const renewed = await sendJson<SessionObject>('POST', RENEW_PATH).catch((error: unknown) => {
        // Other requests may succeed for another minute, because functions remember sessions.
        if (hasEnded(error)) refreshSession();
        throw error;
      });
      const known = session.entry().snapshot().data;
      if (known !== undefined) session.entry().set({ ...known, ...renewed });
    },
  }),
);

export const useSession = () => useQuery(session);

/** How many bytes the images of a request may have together. */
export const imageBytes = (): number => session.entry().snapshot().data?.image_bytes ?? largestImage();

/** Whether the deployment has a feature that others leave out. */
export const hasFeature = (feature: Feature): boolean =>
  session.entry().snapshot().data?.features.includes(feature) !== false;

/** Whether a request for an image that is repeated with its key returns the same image. */
export const storesImages = (): boolean => session.entry().snapshot().data?.stores_images === true;

/** The account of the session, which drafts belong to. */
export const currentAccount = (): string => session.entry().snapshot().data?.project_id ?? '';

/** Starts before the first render, so that the page appears sooner. */
export const fetchSession = (): Promise<void> => session.entry().fetch();

/** Another account of the same person; the session of the former account ends. */
export const switchAccount = (projectId: string): Promise<unknown> =>
  sendJson('POST', `${SESSION_PATH}/switch`, { project_id: projectId });

/** Succeeds if the session has already ended, for example in another tab. Returns the provider's address to sign out, if any. */
export const endSession = async (id: string): Promise<string | undefined> => {
  try {
    const path = `/v1/console/sessions/${encodeURIComponent(id)}`;
    const ended = await sendJson<{ readonly sign_out_url?: string | null }>('DELETE', path);
    return ended.sign_out_url ?? undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};
