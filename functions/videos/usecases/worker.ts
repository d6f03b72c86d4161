import type { Prices } from '../../accounts/domain/billing.ts';
import type { AccountRepository, ChargeRepository } from '../../accounts/domain/ports.ts';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { WebhookQueue } from '../../webhooks/domain/webhook-delivery.ts';
import type { MediaStore, StepMessage, StepQueue, TaskRepository, VideoGenerator } from '../domain/ports.ts';
import { deadlineOf } from '../domain/schedule.ts';
import { isClaimed, isTerminal, type Task, type TaskError, type WorkKind } from '../domain/task.ts';
import { type CheckOutcome, checkOperation, pollOperation } from './check-operation.ts';
import { failTask, removeTask, settleTask } from './end-task.ts';
import { fetchVideo } from './fetch-video.ts';
import { submitTask, type UpstreamPauses } from './submit-task.ts';

type WorkStep = (worker: Worker, task: Task, checked?: CheckOutcome) => Promise<void>;

const WORK: Record<WorkKind, WorkStep> = {
  submit: submitTask,
  // Nobody wrote down how that went: its answer is lost.
  submitting: submitTask,
  check: checkOperation,
  fetch: fetchVideo,
  fetching: fetchVideo,
  settle: settleTask,
  delete: removeTask,
};

const overdue = (task: Task, now: number): TaskError | undefined => {
  if (isTerminal(task) || now < deadlineOf(task)) return undefined;
  if (task.submittedAt === undefined)
    return { code: 'queue_timeout', message: 'The generator did not accept the task within 6 hours.' };
  if (task.generatedAt === undefined)
    return {
      code: 'generation_timeout',
      message: 'The generator did not say within 24 hours whether it had finished.',
    };
  return {
    code: 'upstream_unavailable',
    message: 'The generated video could not be fetched from the generator within 24 hours.',
  };
};

/** Does the one step that the message asks for; a message for any other step is stale and does nothing. */
export const advanceTask = async (worker: Worker, message: StepMessage): Promise<void> => {
  const checked = await pollOperation(worker, message);
  if (checked?.state === 'pending') return;
  const task = await worker.tasks.find(message.taskId);
  if (task?.work === undefined || task.step !== message.step) {
    worker.logger.info('stale message dropped', { taskId: message.taskId, step: message.step });
    return;
  }
  // A claim is broken by time alone, not by a message that came too soon; the sweeper sends the next one.
  if (isClaimed(task, worker.now())) return;
  const tooLate = overdue(task, worker.now());
  if (tooLate !== undefined) await failTask(worker, task, tooLate);
  else await WORK[task.work.kind](worker, task, checked);
};

/** What every step of the worker works with. */
export type Worker = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly accounts: Pick<AccountRepository, 'release'>;
  readonly queue: StepQueue;
  readonly slowSteps: SlowSteps;
  readonly webhooks: Pick<WebhookQueue, 'send'>;
  readonly media: MediaStore;
  readonly generator: VideoGenerator;
  readonly pauses: UpstreamPauses;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  readonly prices: Prices;
  /** How long a claim on fetching holds: as long as the worker can run. */
  readonly fetchLeaseMs: number;
  readonly videoRetentionMs: number;
};

/** Writes the next state; whoever loses the write leaves the rest to the winner. */
export const saveStep = async (
  { tasks, logger }: Pick<Worker, 'tasks' | 'logger'>,
  next: Task,
): Promise<boolean> => {
  if (!(await tasks.advance(next))) {
    logger.info('overtaken', { taskId: next.id, step: next.step });
    return false;
  }
  return true;
};

/** Writes the next state and asks for its step at its time. */
export const saveAndEnqueue = async (worker: Worker, next: Task): Promise<void> => {
  if (!(await saveStep(worker, next)) || next.work === undefined) return;
  await sendStep(
    worker,
    { taskId: next.id, account: next.account, step: next.step },
    next.work.dueAt - worker.now(),
  );
};

export const sendStep = async (
  { queue, logger }: Worker,
  message: StepMessage,
  delayMs: number,
): Promise<void> => {
  try {
    await queue.send(message, Math.max(0, delayMs));
  } catch (error) {
    // What is written is what counts: the sweeper sends what is overdue.
    logger.error('step not queued', error, { taskId: message.taskId, step: message.step });
  }
};
