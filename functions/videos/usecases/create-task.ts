import { hash } from 'node:crypto';
import { chargeFor } from '../../billing/domain/charges.ts';
import type { Reservation } from '../../billing/domain/limits.ts';
import { type Limiter, reserve } from '../../billing/domain/reserve.ts';
import {
  type InputImage,
  isFileReference,
  isRemoteImage,
  type RemoteImage,
} from '../../catalogue/domain/input-image.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import { type RemoteImages, remoteAddresses } from '../../catalogue/domain/remote-image.ts';
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
import {
  isDeleted,
  newTask,
  type StoredInput,
  type Task,
  type TaskForm,
  type TaskRepository,
} from '../domain/task.ts';
import type { FieldNames, VideoRequest } from '../domain/video-request.ts';
import type { Admission } from './watch-queue.ts';

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly queue: StepQueue;
  readonly media: MediaStore;
  readonly files: FileReader;
  readonly remoteImages: RemoteImages;
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
  readonly form?: TaskForm | undefined;
  readonly callbackUrl?: string | undefined;
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
  {
    idempotencyKey,
    fieldName = (fileId) => fileId,
    fieldNames = (field) => field,
    form,
    callbackUrl,
  }: Sent = {},
): Promise<CreatedVideo> => {
  const { tasks, media, queue, limiter, admission, upstreams, logger, now, prices, requestMegabytes } =
    dependencies;
  const createdAt = now();
  const { account, keyId, personId } = caller;
  const id = idempotencyKey === undefined ? newTaskId(createdAt) : derivedTaskId(account, idempotencyKey);
  const { inputs: given, ...options } = request;
  const inputs = given.map(toInput);
  const fingerprint = toDigest(
    JSON.stringify({ ...options, content: inputs.map(toFingerprint), callbackUrl }),
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
  const addresses = remoteAddresses(given.map(({ image }) => image));
  const remote = await dependencies.remoteImages.load(addresses, fieldName);
  const images = inputs.map((input) => ('address' in input ? withBytes(input, remote) : input));
  requireSendable(
    {
      texts: [request.prompt, request.negativePrompt],
      images: images.map((input) => countBytes(input, files)),
      param: firstFile === undefined ? undefined : fieldName(firstFile),
    },
    requestMegabytes,
  );

  const { model, seconds } = request;
  const charge = chargeFor(model, seconds, prices);
  const order = { kind: 'videos', taskId: id, what: model, amount: charge.amount } as const;
  const { reservation: held, rateLimit } = (await reserve(limiter, caller, order)) ?? {};
  const place = { media, files, id, account, createdAt };
  const stored = await Promise.all(images.map((input, position) => storeInput(place, input, position)));
  const task = newTask({
    id,
    createdAt,
    account,
    keyId,
    personId,
    fingerprint,
    form,
    callbackUrl,
    reservation: held && { id: held.id, month: held.month, charge, countsForKey: held.countsForKey },
    request: { ...options, inputs: stored },
  });
  const winner = await createOnce(tasks, task);
  if (winner !== undefined) {
    await giveBack(dependencies, held, winner);
    return { task: requireSame(winner, fingerprint), rateLimit, isNew: false };
  }
  logger.info('task created', { taskId: id, account, model, mode: request.mode });
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
type RemoteInput = RemoteImage & { readonly role: InputRole };

const toInput = ({ role, image }: VideoRequest['inputs'][number]): VideoInput | RemoteInput => {
  if (isFileReference(image)) return { role, fileId: image.fileId };
  return isRemoteImage(image) ? { role, address: image.address } : uploadedInput(role, image);
};

const uploadedInput = (role: InputRole, image: InputImage): VideoInput => ({
  role,
  image,
  hash: toDigest(image.bytes).slice(0, 32),
});

const withBytes = ({ role, address }: RemoteInput, loaded: ReadonlyMap<string, InputImage>): VideoInput => {
  const image = loaded.get(address);
  if (image === undefined) throw new Error('an image was not loaded');
  return uploadedInput(role, image);
};

const toDigest = (content: string | Uint8Array): string => hash('sha256', content);

/** An address counts as such, so that a repeated request needs no second look at it. */
const toFingerprint = (input: VideoInput | RemoteInput) =>
  'image' in input ? { role: input.role, mimeType: input.image.mimeType, hash: input.hash } : input;

const countBytes = (input: VideoInput, files: CheckedFiles): number =>
  'fileId' in input ? (files.get(input.fileId)?.bytes ?? 0) : input.image.bytes.length;

type InputPlace = Pick<Task, 'id' | 'account' | 'createdAt'> & {
  readonly media: MediaStore;
  readonly files: CheckedFiles;
};

/** Files stay where they are. Uploads are keyed by their hash, so a repeated request cannot replace other inputs. */
const storeInput = async (place: InputPlace, input: VideoInput, position: number): Promise<StoredInput> => {
  const { role } = input;
  if ('fileId' in input) {
    const { fileId } = input;
    const file = place.files.get(fileId);
    if (file === undefined) throw new Error(`file ${fileId} was not checked`);
    return { role, key: fileKey(place.account, fileId), mimeType: file.mimeType, fileId };
  }
  const { image, hash } = input;
  const key = inputKey(place, `${position}-${hash}`);
  await place.media.putInput(key, image);
  return { role, key, mimeType: image.mimeType };
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
