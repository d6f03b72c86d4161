import { createHash } from 'node:crypto';
import type { Task } from '../../videos/domain/task.ts';
import type { WebhookEvent } from './webhooks.ts';

/** What is told of a task that has ended. However often it is told, the identifier is the same. */
export const eventOf = ({
  id,
  account,
  createdAt,
  status,
  completedAt,
  failedAt,
}: Pick<Task, 'id' | 'account' | 'createdAt' | 'status' | 'completedAt' | 'failedAt'>): WebhookEvent => {
  // An id that an idempotency key gave can come again after a deletion; its time cannot.
  const digest = createHash('sha256')
    .update(JSON.stringify([id, createdAt]))
    .digest('hex');
  return {
    id: `evt_${digest.slice(0, 32)}`,
    type: status === 'completed' ? 'video.completed' : 'video.failed',
    createdAt: completedAt ?? failedAt ?? createdAt,
    account,
    taskId: id,
  };
};
