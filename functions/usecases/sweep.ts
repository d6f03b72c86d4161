import type { Clock, Journal, MediaStore, StepQueue, TaskRepository } from '../domain/ports.ts';
import { LEFTOVER_AGE, sweepDelay } from '../domain/schedule.ts';
import { isTerminal, taskIdOfInput } from '../domain/task.ts';

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly queue: StepQueue;
  readonly media: MediaStore;
  readonly journal: Journal;
  readonly now: Clock;
  /** How late a task's work may be before it counts as lost. */
  readonly grace: number;
};

/** Puts back on the queue whatever should have happened by now, and removes inputs that belong to no task. */
export const sweep = async (dependencies: Dependencies): Promise<void> => {
  const requeued = await requeueOverdue(dependencies);
  const removed = await removeLeftovers(dependencies);
  dependencies.journal.note('swept', { requeued, removed });
};

const requeueOverdue = async ({ tasks, queue, now, grace }: Dependencies): Promise<number> => {
  let requeued = 0;
  for await (const task of tasks.due(now() - grace)) {
    // The step stays the same: a message that is still on its way remains good.
    if (!(await tasks.postpone(task, now() + sweepDelay(task.sweeps)))) continue;
    await queue.send({ taskId: task.id, step: task.step }, 0);
    requeued += 1;
  }
  return requeued;
};

const removeLeftovers = async ({ tasks, media, now }: Dependencies): Promise<number> => {
  let removed = 0;
  for await (const { key, storedAt } of media.inputs()) {
    if (storedAt > now() - LEFTOVER_AGE) continue;
    const taskId = taskIdOfInput(key);
    const task = taskId === undefined ? undefined : await tasks.find(taskId);
    if (task !== undefined && !isTerminal(task)) continue;
    await media.remove([key]);
    removed += 1;
  }
  return removed;
};
