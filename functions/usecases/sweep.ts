import type {
  Clock,
  DueTask,
  Journal,
  MediaStore,
  StepQueue,
  StoredObject,
  TaskRepository,
} from '../domain/ports.ts';
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
  const { tasks, media, now, grace } = dependencies;
  // Neither round waits for the other to work: each is what is left when something is broken.
  const [requeued, removed] = await Promise.allSettled([
    countDone(dependencies, tasks.due(now() - grace), requeue),
    countDone(dependencies, media.inputs(), removeLeftover),
  ]);
  if (requeued.status === 'rejected') throw requeued.reason;
  if (removed.status === 'rejected') throw removed.reason;
  dependencies.journal.note('swept', { requeued: requeued.value, removed: removed.value });
};

/** Does all of them, and counts: what cannot be done for one must not keep the others waiting. */
const countDone = async <T extends DueTask | StoredObject>(
  dependencies: Dependencies,
  all: AsyncIterable<T>,
  handle: (dependencies: Dependencies, one: T) => Promise<boolean>,
): Promise<number> => {
  let done = 0;
  for await (const one of all)
    try {
      if (await handle(dependencies, one)) done += 1;
    } catch (error) {
      dependencies.journal.fault('not swept', error, { ...one });
    }
  return done;
};

const requeue = async ({ tasks, queue, now }: Dependencies, task: DueTask): Promise<boolean> => {
  // The step stays the same: a message that is still on its way remains good.
  if (!(await tasks.postpone(task, now() + sweepDelay(task.sweeps)))) return false;
  await queue.send({ taskId: task.id, step: task.step }, 0);
  return true;
};

const removeLeftover = async (
  { tasks, media, now }: Dependencies,
  { key, storedAt }: StoredObject,
): Promise<boolean> => {
  if (storedAt > now() - LEFTOVER_AGE) return false;
  const taskId = taskIdOfInput(key);
  const task = taskId === undefined ? undefined : await tasks.find(taskId);
  if (task !== undefined && !isTerminal(task)) return false;
  await media.remove([key]);
  return true;
};
