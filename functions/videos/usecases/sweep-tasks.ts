import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { requeueOverdue } from '../../platform/domain/requeue-overdue.ts';
import { sweepDelay } from '../domain/schedule.ts';
import {
  type QueueAges,
  type QueueDepth,
  receivedUntil,
  type StepMessage,
  type StepQueue,
  toMinute,
} from '../domain/step-queue.ts';
import type { DueTask, DueTasks } from '../domain/task.ts';

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
