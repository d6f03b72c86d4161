import type { Clock, DueTask, Logger, StepQueue, TaskRepository } from '../domain/ports.ts';
import { sweepDelay } from '../domain/schedule.ts';
import { inGroups, inParallel } from './in-parallel.ts';

type Dependencies = {
  readonly tasks: Pick<TaskRepository, 'due' | 'postpone'>;
  readonly queue: Pick<StepQueue, 'sendAll'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** How late a task's work may be before it counts as lost. */
  readonly graceMs: number;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

/** As many as the queue takes in one call. */
const GROUP = 10;
/** After an outage there can be tens of thousands: one by one they would take many runs. */
const GROUPS_AT_ONCE = 8;

/** Puts back on the queue whatever should have happened by now. */
export const sweep = async (dependencies: Dependencies): Promise<void> => {
  const { tasks, logger, now, graceMs, stopAt } = dependencies;
  let requeued = 0;
  let left = 0;
  const report = (): void => logger.info('swept', { requeued, left });
  try {
    await inParallel(inGroups(tasks.due(now() - graceMs), GROUP), GROUPS_AT_ONCE, async (group) => {
      if (now() >= stopAt) left += group.length;
      else requeued += await requeue(dependencies, group);
    });
  } finally {
    report();
  }
};

/** Returns how many were put back; what cannot be done for one must not keep the others waiting. */
const requeue = async (dependencies: Dependencies, group: readonly DueTask[]): Promise<number> => {
  const { queue, logger } = dependencies;
  const postponed = await Promise.all(group.map((task) => postpone(dependencies, task)));
  const messages = group.flatMap(({ id, step }, position) => {
    const account = postponed[position];
    return account === undefined ? [] : [{ taskId: id, account, step }];
  });
  if (messages.length === 0) return 0;
  try {
    const refused = await queue.sendAll(messages);
    for (const { taskId, step } of refused)
      logger.error('not swept', new Error('refused by the queue'), { taskId, step });
    return messages.length - refused.length;
  } catch (error) {
    for (const { taskId, step } of messages) logger.error('not swept', error, { taskId, step });
    return 0;
  }
};

/** The step stays the same: a message that is still on its way remains good. Returns whose task it is, if it was put off. */
const postpone = async ({ tasks, logger, now }: Dependencies, task: DueTask): Promise<string | undefined> => {
  try {
    return await tasks.postpone(task, now() + sweepDelay(task.sweeps));
  } catch (error) {
    logger.error('not swept', error, { taskId: task.id, step: task.step });
    return undefined;
  }
};
