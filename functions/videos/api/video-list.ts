import * as z from 'zod/mini';
import { VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { readKeyId, readPersonId } from '../../identity/api/list-filters.ts';
import {
  type ListQuery,
  listObject,
  readAfter,
  readLimit,
  readNewestFirst,
  toListSchema,
} from '../../platform/api/pages.ts';
import { readChoice, readKept, readTime } from '../../platform/api/parameters.ts';
import { isTaskId } from '../../platform/domain/ids.ts';
import { TASK_STATUSES, type Task, type TaskFilter, type TaskPage } from '../domain/task.ts';
import { taskIdSchema, type VideoObject, videoObject, videoSchema } from './video-object.ts';

type Query = (name: string) => string | undefined;

/** Undefined if there is no filter. */
export const readTaskFilter = (query: Query): TaskFilter | undefined => {
  const filter = {
    status: readChoice(query, 'status', TASK_STATUSES),
    model: readChoice(query, 'model', VIDEO_MODELS),
    keyId: readKeyId(query),
    personId: readPersonId(query),
    kept: readKept(query),
    createdFrom: readTime(query, 'created_after'),
    createdBefore: readTime(query, 'created_before'),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
};

export const readListQuery = (query: Query): ListQuery => {
  const limit = readLimit(query);
  const newestFirst = readNewestFirst(query);
  return { limit, newestFirst, after: readAfter(query, isTaskId, 'a video') };
};

export const videoListSchema = toListSchema(videoSchema, taskIdSchema, z.boolean()).check(
  z.describe('A page of the account’s video tasks.'),
);

export type VideoList = z.infer<typeof videoListSchema>;

/** Lambda responses are limited to 6 MiB; the rest is for everything around the list. */
const MAX_LIST_BYTES = 6_000_000;

/** Lambda sends the body as a string within JSON, so it is escaped twice. */
const sentBytes = (video: VideoObject): number => Buffer.byteLength(JSON.stringify(JSON.stringify(video)));

/** As many videos as fit into one response, but at least one. */
const takeFitting = (videos: readonly VideoObject[]): VideoObject[] => {
  let bytes = 0;
  const end = videos.findIndex((video, index) => {
    bytes += sentBytes(video);
    return index > 0 && bytes > MAX_LIST_BYTES;
  });
  return videos.slice(0, end === -1 ? videos.length : end);
};

export const videoList = (
  { tasks, hasMore, resumeAfter }: TaskPage,
  included: (task: Task) => Partial<VideoObject> = () => ({}),
): VideoList => {
  const data = takeFitting(tasks.map((task) => ({ ...videoObject(task), ...included(task) })));
  const isCut = data.length < tasks.length;
  const list = listObject(data, hasMore || isCut);
  return { ...list, last_id: (isCut ? undefined : resumeAfter) ?? list.last_id };
};
