import type { Prices } from '../domain/billing.ts';
import type {
  ChargeRepository,
  Clock,
  Logger,
  MediaStore,
  StepMessage,
  StepQueue,
  TaskRepository,
  VideoGenerator,
} from '../domain/ports.ts';
import type { Task, TaskError } from '../domain/task.ts';
import { failed } from '../domain/transitions.ts';
import { settleTask } from './settle-task.ts';

/** What every step of the worker works with, and how each of them ends. */
export type Worker = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly queue: StepQueue;
  readonly media: MediaStore;
  readonly generator: VideoGenerator;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  readonly prices: Prices;
  /** How long a claim on fetching holds: as long as the worker can run. */
  readonly fetchLeaseMs: number;
  readonly videoRetention: number;
};

/** Writes the next state; whoever loses the write leaves the rest to the winner. */
export const saveStep = async (worker: Worker, next: Task): Promise<boolean> => {
  if (!(await worker.tasks.advance(next))) {
    worker.logger.info('overtaken', { taskId: next.id, step: next.step });
    return false;
  }
  return true;
};

/** Writes the next state and asks for its step at its time. */
export const saveAndEnqueue = async (worker: Worker, next: Task): Promise<void> => {
  if (!(await saveStep(worker, next)) || next.work === undefined) return;
  await sendStep(worker, { taskId: next.id, step: next.step }, next.work.dueAt - worker.now());
};

export const sendStep = async (
  { queue, logger }: Worker,
  message: StepMessage,
  delay: number,
): Promise<void> => {
  try {
    await queue.send(message, Math.max(0, delay));
  } catch (error) {
    // What is written is what counts: the sweeper sends what is overdue.
    logger.error('step not queued', error, { taskId: message.taskId, step: message.step });
  }
};

/** Ends a task with a reason that its owner sees. */
export const failTask = async (worker: Worker, task: Task, error: TaskError): Promise<void> => {
  const next = failed(task, error, worker.now());
  if (!(await saveStep(worker, next))) return;
  const { model } = task.request;
  worker.logger.info('task failed', { taskId: task.id, account: task.account, model, code: error.code });
  await settleTask(worker, next);
};
