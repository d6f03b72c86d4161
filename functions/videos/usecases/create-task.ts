import { hash } from 'node:crypto';
import { chargeFor } from '../../billing/domain/charges.ts';
import type { Reservation } from '../../billing/domain/limits.ts';
import { type Limiter, reserve } from '../../billing/domain/reserve.ts';
import { type GivenImage, type InputImage, isFileReference } from '../../catalogue/domain/input-image.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import { fileKey } from '../../files/domain/file-keys.ts';
import { type CheckedFiles, checkFiles, type FieldName, type FileReader } from '../../files/domain/files.ts';
import type { Caller } from '../../identity/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import { derivedTaskId, newTaskId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { requireSendable } from '../../upstream/domain/request-size.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import type { InputRole } from '../../upstream/domain/video-generator.ts';
import { inputKey, type MediaStore } from '../domain/media.ts';
import { refuseUnoffered } from '../domain/offered.ts';
import type { StepQueue } from '../domain/step-queue.ts';
import { isDeleted, newTask, type StoredInput, type Task, type TaskRepository } from '../domain/task.ts';
import type { FieldNames, VideoImages, VideoRequest } from '../domain/video-request.ts';
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
  readonly upstreams: readonly Upstream[];
  readonly prices: Prices;
  /** The upstream's limit for one request. */
  readonly requestMegabytes: number;
};

type Sent = {
  readonly idempotencyKey?: string | undefined;
  /** Names the field of a file, and an option, as the client wrote it. */
  readonly fieldName?: FieldName;
  readonly fieldNames?: FieldNames | undefined;
};

/** The rate limit is undefined if the account has none. */
type CreatedVideo = {
  readonly task: Task;
  readonly rateLimit: RateLimit | undefined;
  /** False if an earlier request with the same `Idempotency-Key` created it. */
  readonly isNew: boolean;
};

export const createTask = async (
  dependencies: Dependencies,
  caller: Caller,
  request: VideoRequest,
  { idempotencyKey, fieldName = (fileId) => fileId, fieldNames = (field) => field }: Sent = {},
): Promise<CreatedVideo> => {
  const { tasks, media, queue, limiter, admission, upstreams, logger, now, requestMegabytes } = dependencies;
  const createdAt = now();
  const { account, keyId, personId } = caller;
  const { images, ...options } = request;
  const id = idempotencyKey === undefined ? newTaskId(createdAt) : derivedTaskId(account, idempotencyKey);
  const inputs = listInputs(images);
  const fingerprint = toDigest(
    JSON.stringify({ ...options, mode: images.mode, content: inputs.map(toFingerprint) }),
  );

  // A repeated request must not store inputs again after its task has ended, and must not be refused because of its
  // own reservation or a file that was deleted since.
  const refusal =
    refuseUnoffered(upstreams, request, fieldNames) ?? (await admission.refusal(account, request));
  const looksFirst =
    idempotencyKey !== undefined &&
    (refusal !== undefined || inputs.length > 0 || (await limiter.limits.find(caller)) !== undefined);
  const earlier = looksFirst ? await tasks.find(id) : undefined;
  if (earlier !== undefined)
    return { task: requireSame(earlier, fingerprint), rateLimit: undefined, isNew: false };
  if (refusal !== undefined) throw refusal;

  const fileIds = inputs.flatMap((input) => ('fileId' in input ? [input.fileId] : []));
  const files = await checkFiles({ files: dependencies.files, now, account, fieldName }, fileIds);
  const [firstFile] = files.keys();
  requireSendable(
    {
      texts: [request.prompt, request.negativePrompt],
      images: inputs.map((input) => countBytes(input, files)),
      param: firstFile === undefined ? undefined : fieldName(firstFile),
    },
    requestMegabytes,
  );

  const { held, reservation, rateLimit } = await reserveTask(dependencies, caller, id, request);
  const placed = inputs.map((input, position) =>
    placeInput({ id, account, createdAt }, input, position, files),
  );
  await Promise.all(
    placed.map(({ stored, image }) => (image === undefined ? undefined : media.putInput(stored.key, image))),
  );
  const stored = { ...options, mode: images.mode, inputs: placed.map((input) => input.stored) };
  const task = newTask({
    id,
    createdAt,
    account,
    keyId,
    personId,
    fingerprint,
    reservation,
    request: stored,
  });
  const winner = await createOnce(tasks, task);
  if (winner !== undefined) {
    await giveBack(dependencies, held, winner);
    return { task: requireSame(winner, fingerprint), rateLimit, isNew: false };
  }
  logger.info('task created', { taskId: id, account, model: request.model, mode: images.mode });
  await queue.send({ taskId: id, account, step: task.step }, 0).catch((error: unknown) => {
    // The task is already accepted; the sweeper sends its message.
    logger.error('step not queued', error, { taskId: id, step: task.step });
  });
  return { task, rateLimit, isNew: true };
};

/** An image and its role: either uploaded with the request or a file of the account. */
type VideoInput =
  | { readonly role: InputRole; readonly image: InputImage; readonly hash: string }
  | { readonly role: InputRole; readonly fileId: string };

const listInputs = (images: VideoImages): VideoInput[] => {
  const input = (role: InputRole, image: GivenImage): VideoInput =>
    isFileReference(image)
      ? { role, fileId: image.fileId }
      : { role, image, hash: toDigest(image.bytes).slice(0, 32) };
  switch (images.mode) {
    case 'text':
      return [];
    case 'first_frame':
      return [input('first_frame', images.firstFrame)];
    case 'first_and_last_frame':
      return [input('first_frame', images.firstFrame), input('last_frame', images.lastFrame)];
    case 'references':
      return images.references.map((image) => input('reference', image));
  }
};

const toDigest = (content: string | Uint8Array): string => hash('sha256', content);

const toFingerprint = (input: VideoInput) =>
  'fileId' in input ? input : { role: input.role, mimeType: input.image.mimeType, hash: input.hash };

const countBytes = (input: VideoInput, files: CheckedFiles): number =>
  'fileId' in input ? (files.get(input.fileId)?.bytes ?? 0) : input.image.bytes.length;

/** Files stay where they are. Uploads are keyed by their hash, so a repeated request cannot replace other inputs. */
const placeInput = (
  task: Pick<Task, 'id' | 'account' | 'createdAt'>,
  input: VideoInput,
  position: number,
  files: CheckedFiles,
): { readonly stored: StoredInput; readonly image: InputImage | undefined } => {
  const { role } = input;
  if (!('fileId' in input)) {
    const { image } = input;
    const key = inputKey(task, `${position}-${input.hash}`);
    return { stored: { role, key, mimeType: image.mimeType }, image };
  }
  const file = files.get(input.fileId);
  if (file === undefined) throw new Error(`file ${input.fileId} was not checked`);
  return {
    stored: {
      role,
      key: fileKey(task.account, input.fileId),
      mimeType: file.mimeType,
      fileId: input.fileId,
    },
    image: undefined,
  };
};

/** Returns the task that an earlier request with the same key created, if the requests are the same. */
const requireSame = (earlier: Task, fingerprint: string): Task => {
  const reused = (reason: string): DomainError =>
    new DomainError('idempotency_key_reused', `${reason}; use a new key for a new request.`);
  if (isDeleted(earlier))
    throw reused('The video that was created with this Idempotency-Key is being deleted');
  if (earlier.fingerprint !== fingerprint)
    throw reused('This Idempotency-Key was used with a different request');
  return earlier;
};

type TaskHold = {
  readonly held: Reservation | undefined;
  readonly reservation: Task['reservation'];
  readonly rateLimit: RateLimit | undefined;
};

const reserveTask = async (
  { limiter, prices }: Dependencies,
  caller: Caller,
  taskId: string,
  { model, seconds }: VideoRequest,
): Promise<TaskHold> => {
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

const MAX_WRITE_TRIES = 5;

/** Writes the task, or returns the existing task with its id. A concurrently deleted task does not block the write. */
const createOnce = async (tasks: TaskRepository, task: Task): Promise<Task | undefined> => {
  for (let tries = 0; tries < MAX_WRITE_TRIES; tries += 1) {
    if (await tasks.create(task)) return undefined;
    const winner = await tasks.find(task.id);
    if (winner !== undefined) return winner;
  }
  throw new Error(`task ${task.id} is taken, but not found`);
};

/** Releases the reservation of a request that lost to an earlier task, unless that task has the same reservation. */
const giveBack = async (
  { limiter, logger }: Dependencies,
  held: Reservation | undefined,
  winner: Task,
): Promise<void> => {
  if (held === undefined || held.id === winner.reservation?.id) return;
  await limiter.accounts.release(held, held.at).catch((error: unknown) => {
    // The sweeper releases reservations without a task.
    logger.error('reservation not released', error, { account: held.account, reservation: held.id });
  });
};
