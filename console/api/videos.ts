import type { VideoList } from '../../functions/videos/api/video-list.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { PREFIX } from '../environment.ts';
import { takeBatches } from './batches.ts';
import { afterLast, createPagedQuery, createQuery, emptyList, type ItemFilter } from './query.ts';
import { getJson, queryString, send, sendJson } from './request.ts';
import { refreshSession } from './session.ts';

const POLL_MS = 2000;
const TASKS_PER_PAGE = 100;

export type TaskFilter = ItemFilter & { readonly status?: string | undefined };

export const isUnfinished = ({ status }: Pick<VideoObject, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';

export const videoPath = (id: string): string => `/v1/videos/${encodeURIComponent(id)}`;

/** Same origin, so that the browser sends the cookie; it redirects to the file. */
export const contentPath = (id: string): string => `${videoPath(id)}/content`;
export const contentUrl = (id: string): string => `${PREFIX}${contentPath(id)}`;

export const inputPath = (id: string, index: number): string => `${videoPath(id)}/inputs/${index}`;

const DETAILS = ['request', 'charge', 'timeline', 'file', 'queue'] as const;

/** A task in line waits for minutes. */
const LINE_POLL_MS = 10_000;

const pollInterval = (video: VideoObject | undefined): number | undefined => {
  if (video === undefined) return POLL_MS;
  if (!isUnfinished(video)) return undefined;
  return (video.queue?.position ?? null) === null ? POLL_MS : LINE_POLL_MS;
};

export const videos = createQuery<[id: string], VideoObject>(
  (signal, [id]) => getJson(`${videoPath(id)}${queryString({ include: DETAILS })}`, signal),
  { pollMs: pollInterval },
);

/** The videos that this page has requested. */
export const createdIds = new Set<string>();

const RECENT = 6;
const RECENT_POLL_MS = 15_000;

type RecentVideos = {
  /** One's own: those of the session first, then those of the person, newest first. */
  readonly own: readonly VideoObject[];
  /** The others of the account, if they are wanted; none if there are enough own ones. */
  readonly others: readonly VideoObject[];
};

/** The console session, and the person who has signed in, if any. */
export type Viewer = {
  readonly sessionId: string;
  /** Unix seconds: older videos are not searched for those of the session. */
  readonly since: number;
  readonly personId: string | undefined;
  readonly wantsOthers: boolean;
};

/** The clocks of two functions differ by less. */
const CLOCK_TOLERANCE = 60;

const listRecent = async (filter: TaskFilter, limit: number, signal: AbortSignal) =>
  (await getJson<VideoList>(`/v1/videos${queryString({ ...filter, limit, include: DETAILS })}`, signal)).data;

const without = (videos: readonly VideoObject[], known: readonly VideoObject[]): readonly VideoObject[] =>
  videos.filter(({ id }) => known.every((other) => other.id !== id));

const fetchRecent = async (signal: AbortSignal, [viewer]: [viewer: Viewer]): Promise<RecentVideos> => {
  const { sessionId, since, personId, wantsOthers } = viewer;
  const ofSession = await listRecent(
    { api_key_id: sessionId, created_after: since - CLOCK_TOLERANCE },
    2 * RECENT,
    signal,
  );
  const ofPerson =
    personId === undefined || ofSession.length >= RECENT
      ? []
      : await listRecent({ user_id: personId }, 2 * RECENT, signal);
  const own = [...ofSession, ...without(ofPerson, ofSession)];
  const all = wantsOthers && own.length < RECENT ? await listRecent({}, RECENT, signal) : [];
  return {
    own: takeBatches(own, RECENT),
    others: without(all, own).slice(0, Math.max(0, RECENT - own.length)),
  };
};

/** The newest tasks, running ones included. Other requests of the account do not push out those of the session. */
export const recentVideos = createQuery<[viewer: Viewer], RecentVideos>(fetchRecent, {
  pollMs: ({ own, others } = { own: [], others: [] }) =>
    [...own, ...others].some(isUnfinished) ? POLL_MS : RECENT_POLL_MS,
});

/** Durations change slowly. */
const FINISHED_STALE_MS = 10 * 60_000;
const FINISHED = 100;

export const finishedVideos = createQuery<[], readonly VideoObject[]>(
  async (signal) => {
    const filter = { status: 'completed', limit: FINISHED, include: ['timeline'] };
    return (await getJson<VideoList>(`/v1/videos${queryString(filter)}`, signal)).data;
  },
  { staleMs: FINISHED_STALE_MS },
);

/** Without a filter, the list is empty. */
export const videoPages = createPagedQuery<[filter: TaskFilter | null], VideoList>(
  async ([filter], after, signal) => {
    const query = { ...filter, limit: TASKS_PER_PAGE, after, include: ['charge', 'request'] };
    return filter === null ? emptyList() : getJson(`/v1/videos${queryString(query)}`, signal);
  },
  afterLast,
);

export const createVideo = async (form: FormData, idempotencyKey: string): Promise<VideoObject> =>
  (
    await send('/v1/videos', {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': idempotencyKey },
    })
  ).json();

/** Shows a video that was just created on all pages. */
export const rememberVideo = (video: VideoObject): void => {
  createdIds.add(video.id);
  videos.entry(video.id).set(video);
  void recentVideos.invalidate();
  void videoPages.invalidate();
  // Its budget has changed.
  refreshSession();
};

export const cancelVideo = (id: string): Promise<VideoObject> => sendJson('POST', `${videoPath(id)}/cancel`);

export const deleteVideo = (id: string): Promise<unknown> => sendJson('DELETE', videoPath(id));

const NAMED_VIDEOS = 100;

/** The prompts of the newest videos, to name tasks of which only the id is known. */
export const promptsById = createQuery<[], Readonly<Record<string, string>>>(async (signal) => {
  const { data } = await getJson<VideoList>(`/v1/videos?limit=${NAMED_VIDEOS}`, signal);
  return Object.fromEntries(data.map(({ id, prompt }) => [id, prompt]));
});
