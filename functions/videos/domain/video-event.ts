import { hash } from 'node:crypto';
import type { VideoEvent } from '../../webhooks/domain/webhooks.ts';
import type { Task } from './task.ts';

/** The event of an ended task. Its id depends only on the task, so repeated events have the same id. */
export const toWebhookEvent = ({
  id,
  account,
  createdAt,
  status,
  completedAt,
  failedAt,
}: Pick<Task, 'id' | 'account' | 'createdAt' | 'status' | 'completedAt' | 'failedAt'>): VideoEvent => {
  // After a deletion, an idempotency key can produce the same task id again, but with another creation time.
  const digest = hash('sha256', JSON.stringify([id, createdAt]));
  return {
    id: `evt_${digest.slice(0, 32)}`,
    type: status === 'completed' ? 'video.completed' : 'video.failed',
    createdAt: completedAt ?? failedAt ?? createdAt,
    account,
    taskId: id,
  };
};
