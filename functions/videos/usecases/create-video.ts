import { chargeFor, type Prices } from '../../accounts/domain/billing.ts';
import type { Reservation } from '../../accounts/domain/limits.ts';
import { type Limiter, reserve } from '../../accounts/domain/reserve.ts';
import { type CheckedFiles, checkFiles, type FieldOf } from '../../files/domain/check-files.ts';
import type { FileReader } from '../../files/domain/files.ts';
import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import { derivedTaskId, newTaskId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { requireUpstreamRoom } from '../../upstream/domain/request-size.ts';
import type { MediaStore, StepQueue, TaskRepository } from '../domain/ports.ts';
import { isDeleted, type Task } from '../domain/task.ts';
import { newTask } from '../domain/transitions.ts';
import type { VideoRequest } from '../domain/video-request.ts';
import {
  fileIdsOf,
  hash,
  identityOf,
  inputsOf,
  lengthsOf,
  type PlacedInput,
  placeInputs,
  type VideoInput,
} from './video-inputs.ts';
import type { Admission } from './watch-queue.ts';

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly queue: StepQueue;
  readonly media: MediaStore;
  readonly files: FileReader;
  readonly logger: Logger;
  readonly now: Clock;
  readonly limiter: Limiter;
  readonly admission: Admission;
  readonly prices: Prices;
  /** What the upstream takes in one request. */
  readonly requestMegabytes: number;
};

/** The task, and how its account stands where its creates are limited. */
export type CreatedVideo = { readonly task: Task; readonly rateLimit: RateLimit | undefined };

/** How often a task is written that meets another of its id, which is gone when it is looked for. */
const MAX_WRITE_TRIES = 5;

/** What a request asks for, whichever task it makes. */
const fingerprintOf = ({ images, ...rest }: VideoRequest, inputs: readonly VideoInput[]): string =>
  hash(JSON.stringify({ ...rest, mode: images.mode, content: inputs.map(identityOf) }));

const acceptedTask = (
  identity: Pick<Task, 'id' | 'createdAt' | 'account' | 'keyId' | 'fingerprint' | 'reservation'>,
  { images, ...rest }: VideoRequest,
  placed: readonly PlacedInput[],
): Task => {
  const inputs = placed.map(({ role, key, mimeType }) => ({ role, key, mimeType }));
  return newTask({ ...identity, request: { ...rest, mode: images.mode, inputs } });
};

/** The task that an earlier request with the same key made, if it asked for the same. */
const sameRequest = (earlier: Task, fingerprint: string): Task => {
  const reused = (reason: string): DomainError =>
    new DomainError('idempotency_key_reused', `${reason}; use a new key for a new request.`);
  if (isDeleted(earlier)) throw reused('The video that this Idempotency-Key made is being deleted');
  if (earlier.fingerprint !== fingerprint) throw reused('This Idempotency-Key was used with another request');
  return earlier;
};

/** Writes the task; or returns the one that has its id. One that is deleted in that moment is in nobody's way. */
const createOnce = async (tasks: TaskRepository, task: Task): Promise<Task | undefined> => {
  for (let tries = 0; tries < MAX_WRITE_TRIES; tries += 1) {
    if (await tasks.create(task)) return undefined;
    const winner = await tasks.find(task.id);
    if (winner !== undefined) return winner;
  }
  throw new Error(`task ${task.id} is taken, but not found`);
};

/** Whoever loses to an earlier task of the same id gives back what it holds, unless both hold the same. */
const giveBack = async (
  { limiter, logger }: Dependencies,
  held: Reservation | undefined,
  winner: Task,
): Promise<void> => {
  if (held === undefined || held.id === winner.reservation?.id) return;
  await limiter.accounts.release(held, held.at).catch((error: unknown) => {
    // The sweeper releases what belongs to no task.
    logger.error('reservation not released', error, { account: held.account, reservation: held.id });
  });
};

type Hold = {
  readonly held: Reservation | undefined;
  /** As the task remembers it. */
  readonly reservation: Task['reservation'];
  readonly rateLimit: RateLimit | undefined;
};

const hold = async (
  { limiter, prices }: Dependencies,
  caller: Caller,
  taskId: string,
  { model, seconds }: VideoRequest,
): Promise<Hold> => {
  const charge = chargeFor(model, seconds, prices);
  const admission = await reserve(limiter, caller, {
    kind: 'videos',
    taskId,
    what: model,
    amount: charge.amount,
  });
  if (admission === undefined) return { held: undefined, reservation: undefined, rateLimit: undefined };
  const { reservation: held, rateLimit } = admission;
  const { id, month, countsForKey } = held;
  return { held, reservation: { id, month, charge, countsForKey }, rateLimit };
};

const requireFit = (
  { requestMegabytes }: Dependencies,
  { prompt, negativePrompt }: VideoRequest,
  inputs: readonly VideoInput[],
  files: CheckedFiles,
  fieldOf: FieldOf,
): void => {
  const [first] = files.keys();
  const content = {
    texts: [prompt, negativePrompt],
    images: lengthsOf(inputs, files),
    param: first === undefined ? undefined : fieldOf(first),
  };
  requireUpstreamRoom(content, requestMegabytes);
};

const storeInputs = async (media: MediaStore, placed: readonly PlacedInput[]): Promise<void> => {
  await Promise.all(
    placed.map(({ key, image }) => (image === undefined ? undefined : media.putInput(key, image))),
  );
};

export const createVideo = async (
  dependencies: Dependencies,
  caller: Caller,
  request: VideoRequest,
  idempotencyKey: string | undefined,
  fieldOf: FieldOf = (fileId) => fileId,
): Promise<CreatedVideo> => {
  const { tasks, media, queue, limiter, admission, logger, now } = dependencies;
  const createdAt = now();
  const { account, keyId } = caller;
  const id = idempotencyKey === undefined ? newTaskId(createdAt) : derivedTaskId(account, idempotencyKey);
  const inputs = inputsOf(request.images);
  const fingerprint = fingerprintOf(request, inputs);

  // Inputs of a repeated request must not come back after its task has ended and removed them; nor is it
  // refused for the money that its first try holds, or for a file that has gone since.
  const isRepeatable = idempotencyKey !== undefined;
  const refusal = await admission.refusal(account);
  const looksFirst =
    isRepeatable &&
    (refusal !== undefined || inputs.length > 0 || (await limiter.limits.find(caller)) !== undefined);
  const earlier = looksFirst ? await tasks.find(id) : undefined;
  if (earlier !== undefined) return { task: sameRequest(earlier, fingerprint), rateLimit: undefined };
  if (refusal !== undefined) throw refusal;

  const files = await checkFiles({ files: dependencies.files, now, account, fieldOf }, fileIdsOf(inputs));
  requireFit(dependencies, request, inputs, files, fieldOf);
  const { held, reservation, rateLimit } = await hold(dependencies, caller, id, request);
  const placed = placeInputs({ id, createdAt }, inputs, files);
  const task = acceptedTask({ id, createdAt, account, keyId, fingerprint, reservation }, request, placed);
  await storeInputs(media, placed);
  const winner = await createOnce(tasks, task);
  if (winner !== undefined) {
    await giveBack(dependencies, held, winner);
    return { task: sameRequest(winner, fingerprint), rateLimit };
  }
  logger.info('task created', { taskId: id, account, model: request.model, mode: request.images.mode });
  await queue.send({ taskId: id, account, step: task.step }, 0).catch((error: unknown) => {
    // The task is accepted already: the sweeper starts what the queue refused.
    logger.error('step not queued', error, { taskId: id, step: task.step });
  });
  return { task, rateLimit };
};
