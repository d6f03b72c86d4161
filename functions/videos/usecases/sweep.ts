import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { requeueOverdue } from '../../platform/domain/requeue-overdue.ts';
import type { DueTask, DueTasks, QueueDepth, StepMessage, StepQueue } from '../domain/ports.ts';
import { minuteAt, type QueueAges, receivedUntil } from '../domain/queue-age.ts';
import { sweepDelay } from '../domain/schedule.ts';

type Dependencies = {
  readonly tasks: DueTasks;
  readonly queue: Pick<StepQueue, 'sendAll'>;
  readonly depth: QueueDepth;
  readonly ages: QueueAges;
  readonly logger: Logger;
  readonly now: Clock;
  /** How late a task's work may be on an empty queue before its message counts as lost. */
  readonly graceMs: number;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

/**
 * The time before which work must have been due for its message to be lost. A message that waits in a long queue is
 * not lost: on a queue that is not empty, everything that became ready before the oldest message that workers receive
 * has been received. Undefined when workers receive nothing, so that nobody knows.
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
  const minute = minuteAt(now());
  const [present, last] = await Promise.all([ages.read(minute), ages.read(minute - 1)]);
  const until = receivedUntil(
    [present, last].filter((record) => record !== undefined),
    now(),
  );
  if (until !== undefined) return until - graceMs;
  // The creates read this, and refuse more when it lasts.
  const stalledSince = last?.stalledSince ?? now();
  await ages.record(minute, { onTime: false, late: new Map(), stalledSince });
  logger.info('sweep held back', { waiting });
  return undefined;
};

/** Puts back on the queue the tasks whose messages were lost. */
export const sweep = async (dependencies: Dependencies): Promise<void> => {
  const { tasks, queue, logger, now, stopAt } = dependencies;
  const before = await lostBefore(dependencies);
  if (before === undefined) return;
  const swept = { requeued: 0, left: 0 };
  const overdue = {
    items: tasks.due(before),
    // The step stays the same: a message that is still on its way remains good.
    postpone: async (task: DueTask) => {
      const account = await tasks.postpone(task, now() + sweepDelay(task.sweeps));
      return account === undefined ? undefined : { taskId: task.id, account, step: task.step };
    },
    sendAll: queue.sendAll,
    onPostponeError: ({ id, step }: DueTask, error: unknown) =>
      logger.error('not swept', error, { taskId: id, step }),
    onSendError: ({ taskId, step }: StepMessage, error: unknown) =>
      logger.error('not swept', error, { taskId, step }),
    // About 250 tasks a second: each write takes three units of its account's index and two of the due index.
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
