import { chargeRecord, type Prices } from '../../accounts/domain/billing.ts';
import type { AccountRepository, ChargeRepository, ReservedMoney } from '../../accounts/domain/ports.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { UpstreamPauses } from '../../upstream/domain/upstream.ts';
import { toWebhookEvent, type WebhookQueue } from '../../webhooks/domain/webhook-delivery.ts';
import { isOwnInput, type MediaStore, type VideoGenerator, videoKey } from '../domain/media.ts';
import type { StepMessage, StepQueue } from '../domain/step-queue.ts';
import { isTerminal, type Task, type TaskError, type TaskRepository } from '../domain/task.ts';
import { deletionRequested, failed, settled } from '../domain/transitions.ts';
import { findOwned } from './read-videos.ts';

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

type Stores = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks'>;
type Dependencies = Stores & Pick<Worker, 'logger' | 'now'>;

/** Fails a task with a reason that its owner sees. */
export const failTask = async (dependencies: Dependencies, task: Task, error: TaskError): Promise<void> => {
  const { logger, now } = dependencies;
  const next = failed(task, error, now());
  if (!(await saveStep(dependencies, next))) return;
  const { id: taskId, account, request } = task;
  logger.info('task failed', { taskId, account, model: request.model, code: error.code });
  await settleTask(dependencies, next);
};

/** Fails the task of a message that the worker could not process after all retries. */
export const failDeadLetter = async (dependencies: Dependencies, message: StepMessage): Promise<void> => {
  const task = await dependencies.tasks.find(message.taskId);
  dependencies.logger.error('dead letter', undefined, { taskId: message.taskId, step: message.step });
  if (task === undefined || isTerminal(task) || task.step !== message.step) return;
  await failTask(dependencies, task, { code: 'internal', message: 'The task could not be processed.' });
};

/**
 * Records the charge, sends the webhook event, and removes any file of a failed task. The inputs stay as long as the
 * task. Everything is repeated until the last write marks the task as settled.
 */
export const settleTask = async (stores: Stores, task: Task): Promise<void> => {
  await settleMoney(stores, task);
  // After the money, so that a webhook receiver finds the charge in the list and the reservation released.
  await stores.webhooks.send({ kind: 'event', event: toWebhookEvent(task) }, 0);
  const strayFile = task.status === 'failed' && task.submittedAt !== undefined ? [videoKey(task)] : [];
  await stores.media.remove(strayFile);
  await stores.tasks.advance(settled(task));
};

/** Charges a completed task and releases the reservation of a failed one; both writes can be repeated. */
const settleMoney = async (
  { charges, accounts }: Pick<Stores, 'charges' | 'accounts'>,
  task: Task,
): Promise<void> => {
  const reserved = reservedMoney(task);
  if (task.charge !== undefined && task.completedAt !== undefined)
    await charges.record(chargeRecord(task, task.charge, task.completedAt), reserved);
  else if (reserved !== undefined) await accounts.release(reserved);
};

const reservedMoney = ({ id: taskId, reservation, account, keyId }: Task): ReservedMoney | undefined =>
  reservation && {
    id: reservation.id,
    kind: 'videos',
    account,
    keyId,
    countsForKey: reservation.countsForKey,
    month: reservation.month,
    amount: reservation.charge.amount,
    taskId,
  };

const ownInputKeys = ({ request }: Task): string[] => request.inputs.filter(isOwnInput).map(({ key }) => key);

/** One attempt to settle the task and three to write the deletion. */
const MAX_DELETE_TRIES = 4;

/** The first write hides the task from its owner; if the rest fails, the sweeper finishes it. */
export const deleteVideo = async (
  dependencies: Stores & Pick<Worker, 'now'>,
  account: string,
  id: string,
): Promise<void> => {
  const { tasks, now } = dependencies;
  for (let tries = 0; tries < MAX_DELETE_TRIES; tries += 1) {
    const task = await findOwned(tasks, account, id);
    if (!isTerminal(task))
      throw new DomainError(
        'video_in_progress',
        `Video ${id} is still ${task.status}; it can be deleted once it has ended.`,
      );
    if (task.work?.kind === 'settle') {
      // Settling needs the task, for example for its webhook event.
      await settleTask(dependencies, task);
      continue;
    }
    const next = deletionRequested(task, now());
    if (!(await tasks.advance(next))) continue;
    await removeTask(dependencies, next);
    return;
  }
  throw new DomainError(
    'concurrent_update',
    `Video ${id} was not deleted, because other requests are changing it; try again.`,
  );
};

/** Removes the file, the inputs and the task. The charge remains. */
export const removeTask = async (stores: Omit<Stores, 'webhooks'>, task: Task): Promise<void> => {
  await settleMoney(stores, task);
  await stores.media.remove([videoKey(task), ...ownInputKeys(task)]);
  await stores.tasks.remove(task);
};
