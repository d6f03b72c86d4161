import type { Clock, DueTask, DueTasks, Logger, StepMessage, StepQueue } from '../domain/ports.ts';
import { sweepDelay } from '../domain/schedule.ts';
import { requeueOverdue } from './requeue-overdue.ts';

type Dependencies = {
  readonly tasks: DueTasks;
  readonly queue: Pick<StepQueue, 'sendAll'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** How late a task's work may be before it counts as lost. */
  readonly graceMs: number;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

/** Puts back on the queue whatever should have happened by now. */
export const sweep = async (dependencies: Dependencies): Promise<void> => {
  const { tasks, queue, logger, now, graceMs, stopAt } = dependencies;
  const swept = { requeued: 0, left: 0 };
  const overdue = {
    items: tasks.due(now() - graceMs),
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
    now,
    stopAt,
  };
  try {
    await requeueOverdue(overdue, swept);
  } finally {
    logger.info('swept', swept);
  }
};
