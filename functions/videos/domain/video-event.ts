import { hash } from 'node:crypto';
import { VIDEO_EVENT_TYPES, type VideoEvent } from '../../webhooks/domain/webhooks.ts';
import type { Task, TaskStatus } from './task.ts';

const ANNOUNCED: Readonly<Record<VideoEvent['type'], TaskStatus>> = {
  'video.completed': 'completed',
  'video.failed': 'failed',
};

/** The event of an ended task. Its id depends only on the task, so repeated events have the same id. */
export const toWebhookEvent = ({
  id,
  account,
  createdAt,
  status,
  completedAt,
  failedAt,
  callbackUrl,
}: Pick<
  Task,
  'id' | 'account' | 'createdAt' | 'status' | 'completedAt' | 'failedAt' | 'callbackUrl'
>): VideoEvent => {
  // After a deletion, an idempotency key can produce the same task id again, but with another creation time.
  const digest = hash('sha256', JSON.stringify([id, createdAt]));
  const type = VIDEO_EVENT_TYPES.find((name) => ANNOUNCED[name] === status);
  if (type === undefined) throw new Error(`No event announces that a task is ${status}.`);
  return {
    id: `evt_${digest.slice(0, 32)}`,
    type,
    createdAt: completedAt ?? failedAt ?? createdAt,
    account,
    taskId: id,
    callbackUrl,
  };
};
