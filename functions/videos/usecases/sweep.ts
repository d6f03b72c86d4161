import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel, requeueOverdue } from '../../platform/domain/requeue-overdue.ts';
import { type MediaStore, readInputTaskId, type StoredObject } from '../domain/media.ts';
import { LEFTOVER_AGE, sweepDelay } from '../domain/schedule.ts';
import {
  type QueueAges,
  type QueueDepth,
  receivedUntil,
  type StepMessage,
  type StepQueue,
  toMinute,
} from '../domain/step-queue.ts';
import type { DueTask, DueTasks, TaskRepository } from '../domain/task.ts';

type Dependencies = {
  readonly tasks: DueTasks;
  readonly queue: Pick<StepQueue, 'sendAll'>;
  readonly depth: QueueDepth;
  readonly ages: QueueAges;
  readonly logger: Logger;
  readonly now: Clock;
  /** How long work may be overdue on an empty queue before its message counts as lost. */
  readonly graceMs: number;
  /** When this run stops; the next run handles the rest. */
  readonly stopAt: number;
};

/**
 * Work that was due before this time has lost its message. A message that waits in a long queue is not lost, so on a
 * queue with messages this is the age of the oldest message that workers receive; undefined if they receive none.
 */
const lostBefore = async ({
  depth,
  ages,
  logger,
  now,
  graceMs,
}: Dependencies): Promise<number | undefined> => {
  const waiting = await depth.waiting();
  if (waiting === 0) return now() - graceMs;
  const minute = toMinute(now());
  const [current, last] = await Promise.all([ages.read(minute), ages.read(minute - 1)]);
  const until = receivedUntil(
    [current, last].filter((record) => record !== undefined),
    now(),
  );
  if (until !== undefined) return until - graceMs;
  // Creates read this record and are refused if the queue stays stalled.
  const stalledSince = last?.stalledSince ?? now();
  await ages.record(minute, { onTime: false, late: new Map(), stalledSince });
  logger.info('sweep skipped', { waiting });
  return undefined;
};

/** Requeues tasks whose messages were lost. */
export const sweep = async (dependencies: Dependencies): Promise<void> => {
  const { tasks, queue, logger, now, stopAt } = dependencies;
  const before = await lostBefore(dependencies);
  if (before === undefined) return;
  const swept = { requeued: 0, left: 0 };
  const overdue = {
    items: tasks.due(before),
    // The step does not change, so a message that is still on its way stays valid.
    postpone: async (task: DueTask) => {
      const account = await tasks.postpone(task, now() + sweepDelay(task.sweeps));
      return account === undefined ? undefined : { taskId: task.id, account, step: task.step };
    },
    sendAll: queue.sendAll,
    onPostponeError: ({ id, step }: DueTask, error: unknown) =>
      logger.error('task not swept', error, { taskId: id, step }),
    onSendError: ({ taskId, step }: StepMessage, error: unknown) =>
      logger.error('task not swept', error, { taskId, step }),
    // About 250 tasks a second; each write costs three units in the account's index and two in the due index.
    groupsAtOnce: 1,
    now,
    stopAt,
  };
  try {
    await requeueOverdue(overdue, swept);
  } finally {
    logger.info('swept', swept);
  }
};

type Cleanup = {
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly media: Pick<MediaStore, 'inputs' | 'remove'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run stops; the next run removes the rest. */
  readonly stopAt: number;
};

const CONCURRENCY = 8;

/** Removes input images of requests that created no task. */
export const removeLeftovers = async (dependencies: Cleanup): Promise<void> => {
  const { media, logger, now, stopAt } = dependencies;
  let removed = 0;
  let left = 0;
  try {
    await inParallel(media.inputs(), CONCURRENCY, async (input) => {
      if (now() >= stopAt) left += 1;
      else if (await remove(dependencies, input)) removed += 1;
    });
  } finally {
    logger.info('leftovers removed', { removed, left });
  }
};

const remove = async (
  { tasks, media, logger, now }: Cleanup,
  { key, storedAt }: StoredObject,
): Promise<boolean> => {
  const age = now() - storedAt;
  if (age < LEFTOVER_AGE.from || age >= LEFTOVER_AGE.to) return false;
  try {
    const taskId = readInputTaskId(key);
    const task = taskId === undefined ? undefined : await tasks.find(taskId);
    if (task?.request.inputs.some((input) => input.key === key) === true) return false;
    await media.remove([key]);
    return true;
  } catch (error) {
    logger.error('leftover not removed', error, { key });
    return false;
  }
};
