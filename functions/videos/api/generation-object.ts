import * as z from 'zod/mini';
import { VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { timestamp } from '../../platform/body/schema.ts';
import type { Task, TaskStatus } from '../domain/task.ts';
import { taskErrorSchema, taskIdSchema } from './video-object.ts';

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
  .check(z.describe('A video task as the create request of the generations style returns it.'));

export const generationSchema = z
  .object({
    code: z.literal('success'),
    message: z.string().check(z.maxLength(0)),
    data: z.object({
      status: generationStatus,
      task_id: taskIdSchema,
      format: z.literal('mp4'),
      url: z.string().check(z.meta({ format: 'uri', description: 'Where to download the video.' })),
      error: z.nullable(taskErrorSchema),
      metadata: z.null(),
    }),
  })
  .check(z.describe('A video task with the URL of its result.'));

const GENERATION_STATUS = {
  queued: 'queued',
  in_progress: 'processing',
  completed: 'succeeded',
  failed: 'failed',
} as const satisfies Record<TaskStatus, string>;

export const createdGenerationObject = (task: Task): z.infer<typeof createdGenerationSchema> => ({
  id: task.id,
  task_id: task.id,
  object: 'video',
  model: task.request.model,
  status: GENERATION_STATUS[task.status],
  created_at: Math.floor(task.createdAt / 1000),
});

export const generationObject = (task: Task, baseUrl: string): z.infer<typeof generationSchema> => ({
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
