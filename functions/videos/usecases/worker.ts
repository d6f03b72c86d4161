import type { AccountRepository, ChargeRepository, ReservedMoney } from '../../billing/domain/ports.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { isKept } from '../../platform/domain/retention.ts';
import type { ReturnedPlace, UpstreamPool } from '../../upstream/domain/pool.ts';
import type { UpstreamPauses } from '../../upstream/domain/process-pauses.ts';
import type { VideoError, VideoGenerators } from '../../upstream/domain/video-generator.ts';
import type { WebhookQueue } from '../../webhooks/domain/webhook-stores.ts';
import { isOwnInput, type MediaStore, type VideoRetention, videoKey } from '../domain/media.ts';
import type { Retirements, StepMessage, StepQueue } from '../domain/step-queue.ts';
import { heldPlaces, isTerminal, type Task, type TaskRepository, type WaitingLine } from '../domain/task.ts';
import { failed, settled } from '../domain/transitions.ts';
import { videoChargeRecord } from '../domain/video-charge-record.ts';
import { toWebhookEvent } from '../domain/video-event.ts';
import type { LoadWatch } from './watch-load.ts';
import type { WorkMeter } from './watch-queue.ts';

export type Worker = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly accounts: Pick<AccountRepository, 'release'>;
  readonly queue: StepQueue;
  readonly slowSteps: SlowSteps;
  readonly webhooks: Pick<WebhookQueue, 'send'>;
  readonly media: MediaStore;
  readonly retention: VideoRetention;
  readonly generator: VideoGenerators;
  readonly pool: UpstreamPool;
  readonly retirements: Retirements;
  /** Of checks. */
  readonly pauses: UpstreamPauses;
  readonly line: WaitingLine;
  readonly load: LoadWatch;
  readonly meter: WorkMeter;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  readonly prices: Prices;
  /** How long a fetch is claimed: as long as the worker can run. */
  readonly fetchLeaseMs: number;
  readonly videoRetentionMs: number;
};

/** False means that another delivery won. With the state before, also returns the places that are no longer needed. */
export const saveStep = async (
  { tasks, logger }: Pick<Worker, 'tasks' | 'logger'>,
  next: Task,
  before?: Task,
): Promise<boolean> => {
  if (await tasks.advance(next, before && returnedPlaces(before, next))) return true;
  logger.info('step already written', { taskId: next.id, step: next.step });
  return false;
};

const returnedPlaces = (before: Task, next: Task): ReturnedPlace[] => {
  const kept = heldPlaces(next);
  const returned = [...heldPlaces(before)].filter((upstream) => !kept.has(upstream));
  return returned.map((upstream) => ({ upstream, taskId: before.id }));
};

export const saveAndEnqueue = async (worker: Worker, next: Task, before?: Task): Promise<void> => {
  if (!(await saveStep(worker, next, before)) || next.work === undefined) return;
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

export type Stores = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks'>;
type Dependencies = Stores & Pick<Worker, 'logger' | 'now'>;

/** Fails a task with a reason that its owner sees. */
export const failTask = async (dependencies: Dependencies, task: Task, error: VideoError): Promise<void> => {
  const { logger, now } = dependencies;
  const next = failed(task, error, now());
  if (!(await saveStep(dependencies, next, task))) return;
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

/** Makes the stored file last as long as the task says. It can be repeated, and is until the last write. */
export const retainFile = async (
  { tasks, retention }: Pick<Worker, 'tasks' | 'retention'>,
  task: Task,
): Promise<void> => {
  if (task.file !== undefined) await retention.retain(task.file.key, isKept(task));
  await tasks.advance(settled(task));
};

/** For a task that was not submitted: it has neither a charge nor a file. */
export const settleUnsubmitted = async (
  stores: Pick<Stores, 'tasks' | 'accounts' | 'webhooks'>,
  task: Task,
): Promise<void> => {
  await releaseMoney(stores, task);
  await stores.webhooks.send({ kind: 'event', event: toWebhookEvent(task) }, 0);
  await stores.tasks.advance(settled(task));
};

/** Charges a completed task and releases the reservation of a failed one; both writes can be repeated. */
const settleMoney = async (
  { charges, accounts }: Pick<Stores, 'charges' | 'accounts'>,
  task: Task,
): Promise<void> => {
  if (task.charge !== undefined && task.completedAt !== undefined)
    await charges.record(videoChargeRecord(task, task.charge, task.completedAt), reservedMoney(task));
  else await releaseMoney({ accounts }, task);
};

const releaseMoney = async ({ accounts }: Pick<Stores, 'accounts'>, task: Task): Promise<void> => {
  const reserved = reservedMoney(task);
  if (reserved !== undefined) await accounts.release(reserved);
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

/** Removes the file, the inputs and the task. The charge remains. */
export const removeTask = async (stores: Omit<Stores, 'webhooks'>, task: Task): Promise<void> => {
  await settleMoney(stores, task);
  await stores.media.remove([videoKey(task), ...ownInputKeys(task)]);
  await stores.tasks.remove(task);
};
