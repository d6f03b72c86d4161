import * as z from 'zod/mini';
import { DURATIONS, type Duration, PIXEL_SIZES, VIDEO_MODELS } from '../../platform/domain/models.ts';
import { TASK_ERROR_CODES, TASK_STATUSES } from '../domain/task.ts';
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
