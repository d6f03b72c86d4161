import * as z from 'zod/mini';
import { type ListQuery, ORDERS, readLimit, readTime } from '../../platform/api/parameters.ts';
import { KEY_ID } from '../../platform/domain/api-key.ts';
import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import { isTaskId } from '../../platform/domain/ids.ts';
import {
  DURATIONS,
  type Duration,
  isOneOf,
  PIXEL_SIZES,
  pixelSize,
  VIDEO_MODELS,
} from '../../platform/domain/models.ts';
import type { TaskPage } from '../domain/ports.ts';
import {
  isTerminal,
  TASK_ERROR_CODES,
  TASK_STATUSES,
  type Task,
  type TaskFilter,
  type TaskStatus,
} from '../domain/task.ts';
import { includedFields } from './included-parts.ts';

/** The answers of the `/v1/videos` family and of the generations endpoint; their builders return these types. */

export const DURATION_TEXTS = ['4', '6', '8'] as const satisfies readonly `${Duration}`[];

export const taskIdSchema = z
  .string()
  .check(z.regex(/^task_[0-9a-z]{26}$/), z.describe('Identifier of a video task.'));

const timestamp = (meaning: string) =>
  z.int().check(z.gte(0), z.describe(`${meaning} Unix timestamp in seconds.`));

export const taskErrorSchema = z
  .object({ code: z.enum(TASK_ERROR_CODES), message: z.string() })
  .check(z.describe('Why a task failed.'));

const videoFields = {
  id: taskIdSchema,
  object: z.literal('video'),
  model: z.enum(VIDEO_MODELS),
  status: z.enum(TASK_STATUSES),
  progress: z
    .literal([0, 50, 100])
    .check(z.describe('0 when queued, 50 in progress, 100 when completed; a failed task keeps its value.')),
  created_at: timestamp('When the task was accepted.'),
  completed_at: z.optional(timestamp('When the video was there; absent until then.')),
  expires_at: z.nullable(timestamp('When the stored file goes.')),
  prompt: z.string(),
  seconds: z.enum(DURATION_TEXTS).check(z.describe(`Length of the video: one of ${DURATIONS.join(', ')}.`)),
  size: z.enum(Object.keys(PIXEL_SIZES)).check(z.describe('Width and height in pixels.')),
  error: z.nullable(taskErrorSchema),
  remixed_from_video_id: z.null(),
  ...includedFields,
};

export const videoSchema = z.object(videoFields).check(z.describe('A video task.'));
export const createdVideoSchema = z
  .object({ ...videoFields, task_id: taskIdSchema })
  .check(z.describe('A video task as the create request answers it.'));

export const videoListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(videoSchema),
    first_id: z.nullable(taskIdSchema),
    last_id: z.nullable(taskIdSchema),
    has_more: z.boolean(),
  })
  .check(z.describe('One page of the account’s video tasks.'));

export const deletedVideoSchema = z.object({
  id: taskIdSchema,
  object: z.literal('video.deleted'),
  deleted: z.literal(true),
});

const generationStatus = z.enum(['queued', 'processing', 'succeeded', 'failed']);

export const createdGenerationSchema = z
  .object({
    id: taskIdSchema,
    task_id: taskIdSchema,
    object: z.literal('video'),
    model: z.enum(VIDEO_MODELS),
    status: generationStatus,
    created_at: timestamp('When the task was accepted.'),
  })
  .check(z.describe('A video task as the create request of the generations style answers it.'));

export const generationSchema = z
  .object({
    code: z.literal('success'),
    message: z.literal(''),
    data: z.object({
      status: generationStatus,
      task_id: taskIdSchema,
      format: z.literal('mp4'),
      url: z.string().check(z.meta({ format: 'uri', description: 'Where the video is downloaded.' })),
      error: z.nullable(taskErrorSchema),
      metadata: z.null(),
    }),
  })
  .check(z.describe('A video task with the address of its result.'));

export type VideoObject = z.infer<typeof videoSchema>;
export type CreatedVideoObject = z.infer<typeof createdVideoSchema>;
export type VideoList = z.infer<typeof videoListSchema>;
export type DeletedVideoObject = z.infer<typeof deletedVideoSchema>;
export type CreatedGenerationObject = z.infer<typeof createdGenerationSchema>;
export type GenerationObject = z.infer<typeof generationSchema>;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Each poll is a paid request: after half a minute, two seconds more go unnoticed. */
const POLL_SECONDS = { first: 3, later: 5 };
const FIRST_MILLISECONDS = 30_000;

const PROGRESS = { queued: 0, in_progress: 50, completed: 100 } as const;

/** A failed task keeps the progress that it had. */
const progressOf = ({ status, submittedAt }: Task): VideoObject['progress'] => {
  if (status !== 'failed') return PROGRESS[status];
  return submittedAt === undefined ? PROGRESS.queued : PROGRESS.in_progress;
};

export const videoObject = (task: Task): VideoObject => ({
  id: task.id,
  object: 'video',
  model: task.request.model,
  status: task.status,
  progress: progressOf(task),
  created_at: seconds(task.createdAt),
  ...(task.completedAt === undefined ? {} : { completed_at: seconds(task.completedAt) }),
  expires_at: task.expiresAt === undefined ? null : seconds(task.expiresAt),
  prompt: task.request.prompt,
  seconds: `${task.request.seconds}` as const,
  size: pixelSize(task.request.resolution, task.request.aspectRatio),
  error: task.error ?? null,
  remixed_from_video_id: null,
});

/** When to look again, as polling clients understand it: nothing once the task has ended. */
export const pollHints = (task: Task, now = Date.now()): Record<string, string> => {
  if (isTerminal(task)) return {};
  const wait = now - task.createdAt < FIRST_MILLISECONDS ? POLL_SECONDS.first : POLL_SECONDS.later;
  return { 'openai-poll-after-ms': String(wait * 1000), 'retry-after': String(wait) };
};

export const createdVideoObject = (task: Task): CreatedVideoObject => ({
  ...videoObject(task),
  task_id: task.id,
});

/** A function answers with at most 6 MB; the rest is for what surrounds the list. */
const MAX_LIST_BYTES = 6_000_000;

/** As a function hands it to the gateway, where the body is a string within JSON and so escaped once more. */
const sentBytes = (video: VideoObject): number => Buffer.byteLength(JSON.stringify(JSON.stringify(video)));

/** As many videos as one answer holds, and always the first. */
const fitting = (videos: readonly VideoObject[]): VideoObject[] => {
  let bytes = 0;
  const end = videos.findIndex((video, index) => {
    bytes += sentBytes(video);
    return index > 0 && bytes > MAX_LIST_BYTES;
  });
  return videos.slice(0, end === -1 ? videos.length : end);
};

type Included = Pick<VideoObject, 'request' | 'charge' | 'timeline'>;

export const videoList = (
  { tasks, hasMore, resumeAfter }: TaskPage,
  included: (task: Task) => Included = () => ({}),
): VideoList => {
  const data = fitting(tasks.map((task) => ({ ...videoObject(task), ...included(task) })));
  const isCut = data.length < tasks.length;
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: (isCut ? undefined : resumeAfter) ?? data.at(-1)?.id ?? null,
    has_more: hasMore || isCut,
  };
};

export const deletedVideoObject = (id: string): DeletedVideoObject => ({
  id,
  object: 'video.deleted',
  deleted: true,
});

const GENERATION_STATUS = {
  queued: 'queued',
  in_progress: 'processing',
  completed: 'succeeded',
  failed: 'failed',
} as const satisfies Record<TaskStatus, string>;

export const createdGenerationObject = (task: Task): CreatedGenerationObject => ({
  id: task.id,
  task_id: task.id,
  object: 'video',
  model: task.request.model,
  status: GENERATION_STATUS[task.status],
  created_at: seconds(task.createdAt),
});

export const generationObject = (task: Task, baseUrl: string): GenerationObject => ({
  code: 'success',
  message: '',
  data: {
    status: GENERATION_STATUS[task.status],
    task_id: task.id,
    format: 'mp4',
    url: `${baseUrl}/v1/videos/${task.id}/content`,
    error: task.error ?? null,
    metadata: null,
  },
});

type Query = (name: string) => string | undefined;

const choice = <T extends string>(query: Query, name: string, values: readonly T[]): T | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!isOneOf(values, value)) throw invalidField(name, `${name} must be one of ${listed(values)}.`);
  return value;
};

const keyId = (query: Query): string | undefined => {
  const value = query('api_key_id');
  if (value === undefined || KEY_ID.test(value)) return value;
  throw invalidField('api_key_id', 'api_key_id must be the id of a key (key_…) or of a session (sess_…).');
};

/** Undefined where the list is of all tasks. */
export const readTaskFilter = (query: Query): TaskFilter | undefined => {
  const filter = {
    status: choice(query, 'status', TASK_STATUSES),
    model: choice(query, 'model', VIDEO_MODELS),
    keyId: keyId(query),
    createdFrom: readTime(query, 'created_after'),
    createdBefore: readTime(query, 'created_before'),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
};

export const readListQuery = (query: (name: string) => string | undefined): ListQuery => {
  const limit = readLimit(query);
  const order = query('order') ?? 'desc';
  if (!isOneOf(ORDERS, order)) throw invalidField('order', `order must be one of ${listed(ORDERS)}.`);
  const after = query('after');
  if (after !== undefined && !isTaskId(after))
    throw invalidField('after', 'after must be the id of a video, such as last_id of the page before.');
  return { limit, newestFirst: order === 'desc', after };
};

/** Thumbnails and sprite sheets are not made here. */
export const requireVideoVariant = (variant: string | undefined): void => {
  if (variant === undefined || variant === 'video') return;
  throw new DomainError(
    'not_offered',
    'variant must be video: thumbnails and spritesheets are not supported.',
    {
      param: 'variant',
    },
  );
};
