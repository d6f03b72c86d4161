import type { Prices } from '../../accounts/domain/billing.ts';
import type { AccountRepository, ChargeRepository } from '../../accounts/domain/ports.ts';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { UpstreamPauses } from '../../upstream/domain/upstream-pauses.ts';
import type { WebhookQueue } from '../../webhooks/domain/webhook-delivery.ts';
import type { MediaStore, VideoGenerator } from '../domain/media.ts';
import type { StepMessage, StepQueue } from '../domain/step-queue.ts';
import type { Task, TaskRepository } from '../domain/task.ts';

/** The dependencies of every step. */
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
  /** How long a fetch is claimed: as long as the worker can run. */
  readonly fetchLeaseMs: number;
  readonly videoRetentionMs: number;
};

/** Writes the next state; false means that another delivery won and does the rest. */
export const saveStep = async (
  { tasks, logger }: Pick<Worker, 'tasks' | 'logger'>,
  next: Task,
): Promise<boolean> => {
  if (!(await tasks.advance(next))) {
    logger.info('step already written', { taskId: next.id, step: next.step });
    return false;
  }
  return true;
};

/** Writes the next state and enqueues its step for the time when it is due. */
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
    // The sweeper sends it, because the task is written.
    logger.error('step not queued', error, { taskId: message.taskId, step: message.step });
  }
};
