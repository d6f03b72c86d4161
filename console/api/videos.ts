import { PREFIX } from '../environment.ts';
import { createPagedQuery } from './pages.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, send, sendJson } from './request.ts';
import type { Page, Video } from './shapes.ts';

const POLL_MS = 2000;
const PAGE_SIZE = 100;

export type TaskFilter = {
  readonly status?: string | undefined;
  readonly model?: string | undefined;
  readonly api_key_id?: string | undefined;
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
};

export const isUnfinished = ({ status }: Pick<Video, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';

/** Same origin, so that the cookie goes with it; it redirects to the file. */
export const contentAddress = (id: string): string => `${PREFIX}/v1/videos/${encodeURIComponent(id)}/content`;

const INCLUDE = ['request', 'charge', 'timeline'] as const;

export const videos = createQuery<[id: string], Video>(
  (signal, [id]) =>
    getJson(`/v1/videos/${encodeURIComponent(id)}${queryString({ include: INCLUDE })}`, signal),
  { pollMs: (video) => (video === undefined || isUnfinished(video) ? POLL_MS : undefined) },
);

export const fetchVideos = (filter: TaskFilter, after: string, signal: AbortSignal): Promise<Page<Video>> =>
  getJson(`/v1/videos${queryString({ ...filter, limit: PAGE_SIZE, after, include: ['charge'] })}`, signal);

export const videoPages = createPagedQuery<[filter: TaskFilter], Page<Video>>(
  ([filter], after, signal) => fetchVideos(filter, after, signal),
  ({ has_more, last_id }) => (has_more && last_id !== null ? last_id : undefined),
);

export const createVideo = async (form: FormData, idempotencyKey: string): Promise<Video> =>
  (
    await send('/v1/videos', {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': idempotencyKey },
    })
  ).json();

export const deleteVideo = (id: string): Promise<unknown> =>
  sendJson('DELETE', `/v1/videos/${encodeURIComponent(id)}`);
