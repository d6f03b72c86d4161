import * as z from 'zod/mini';
import type { Task, TaskStatus } from '../domain/task.ts';
import { taskIdSchema } from './video-object.ts';

const STATUSES = {
  queued: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
} as const satisfies Record<TaskStatus, string>;

export const openRouterVideoSchema = z
  .object({
    id: taskIdSchema,
    polling_url: z.string().check(z.meta({ format: 'uri', description: 'Where to ask for the status.' })),
    status: z.enum([...Object.values(STATUSES), 'cancelled', 'expired']),
    unsigned_urls: z
      .optional(z.array(z.string()))
      .check(z.describe('Once completed: where to download the video without a key, for a few minutes.')),
    error: z.optional(z.string()).check(z.describe('Why the task failed.')),
  })
  .check(z.describe('A video task in the form of OpenRouter.'));

type OpenRouterVideo = z.infer<typeof openRouterVideoSchema>;

const toStatus = ({ status, error, expiresAt }: Task, now: number): OpenRouterVideo['status'] => {
  if (error?.code === 'cancelled') return 'cancelled';
  return status === 'completed' && expiresAt !== undefined && now >= expiresAt ? 'expired' : STATUSES[status];
};

export const openRouterVideoObject = (
  task: Task,
  {
    baseUrl,
    now,
    videoUrl,
  }: { readonly baseUrl: string; readonly now: number; readonly videoUrl?: string | undefined },
): OpenRouterVideo => ({
  id: task.id,
  polling_url: `${baseUrl}/v1/videos/${task.id}`,
  status: toStatus(task, now),
  ...(videoUrl === undefined ? {} : { unsigned_urls: [videoUrl] }),
  ...(task.error === undefined ? {} : { error: task.error.message }),
});
