import { chargeRecord } from '../../accounts/domain/billing.ts';
import type { ReservedMoney } from '../../accounts/domain/ports.ts';
import { eventOf } from '../../webhooks/domain/webhook-delivery.ts';
import type { StepMessage } from '../domain/ports.ts';
import { isOwnInput, isTerminal, type Task, type TaskError, videoKey } from '../domain/task.ts';
import { failed, settled } from '../domain/transitions.ts';
import { saveStep, type Worker } from './worker.ts';

/** How a task ends, and what is then left to do. */

type Stores = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks'>;

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

/**
 * The completing write fixed the charge; the record is written under the task's id, so it exists once. What a
 * failed task held is taken back. Both can be repeated.
 */
const settleMoney = async (
  { charges, accounts }: Pick<Stores, 'charges' | 'accounts'>,
  task: Task,
): Promise<void> => {
  const reserved = reservedMoney(task);
  if (task.charge !== undefined && task.completedAt !== undefined)
    await charges.record(chargeRecord(task, task.charge, task.completedAt), reserved);
  else if (reserved !== undefined) await accounts.release(reserved);
};

const inputKeys = ({ request }: Task): string[] => request.inputs.filter(isOwnInput).map(({ key }) => key);

/**
 * What is left when a task has ended: its charge, its event, its inputs, and a file that a failed task must not
 * keep. Only the last write says that all is done; until then all of it is repeated.
 */
export const settleTask = async (stores: Stores, task: Task): Promise<void> => {
  await settleMoney(stores, task);
  // After the money: whoever is told that a video has ended finds its place free, and its charge in the list.
  await stores.webhooks.send({ kind: 'event', event: eventOf(task) }, 0);
  const strayFile = task.status === 'failed' && task.submittedAt !== undefined ? [videoKey(task)] : [];
  await stores.media.remove([...inputKeys(task), ...strayFile]);
  await stores.tasks.advance(settled(task));
};

/** Deleted means gone: the file, the inputs and the task. Its charge stays; its event was told when it was settled. */
export const removeTask = async (stores: Omit<Stores, 'webhooks'>, task: Task): Promise<void> => {
  await settleMoney(stores, task);
  await stores.media.remove([videoKey(task), ...inputKeys(task)]);
  await stores.tasks.remove(task);
};

/** Ends a task with a reason that its owner sees. */
export const failTask = async (
  worker: Stores & Pick<Worker, 'logger' | 'now'>,
  task: Task,
  error: TaskError,
): Promise<void> => {
  const next = failed(task, error, worker.now());
  if (!(await saveStep(worker, next))) return;
  const { model } = task.request;
  worker.logger.info('task failed', { taskId: task.id, account: task.account, model, code: error.code });
  await settleTask(worker, next);
};

type Dependencies = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks' | 'logger' | 'now'>;

/** A message that the worker could not handle, however often it tried: its task fails with a reason. */
export const failDeadLetter = async (dependencies: Dependencies, message: StepMessage): Promise<void> => {
  const task = await dependencies.tasks.find(message.taskId);
  dependencies.logger.error('dead letter', undefined, { taskId: message.taskId, step: message.step });
  if (task === undefined || isTerminal(task) || task.step !== message.step) return;
  await failTask(dependencies, task, { code: 'internal', message: 'The task could not be processed.' });
};
