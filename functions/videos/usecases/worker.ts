import type { Prices } from '../../accounts/domain/billing.ts';
import type { AccountRepository, ChargeRepository } from '../../accounts/domain/ports.ts';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { UpstreamPauses } from '../../upstream/domain/upstream-pauses.ts';
import type { WebhookQueue } from '../../webhooks/domain/webhook-delivery.ts';
import type { MediaStore, StepMessage, StepQueue, TaskRepository, VideoGenerator } from '../domain/ports.ts';
import type { Task } from '../domain/task.ts';

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
