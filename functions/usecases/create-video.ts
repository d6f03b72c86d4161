import { createHash } from 'node:crypto';
import type { Caller } from '../domain/api-key.ts';
import { chargeFor, type Prices } from '../domain/billing.ts';
import { DomainError } from '../domain/errors.ts';
import type { InputImage } from '../domain/input-image.ts';
import type { Clock, Logger, MediaStore, StepQueue, TaskRepository } from '../domain/ports.ts';
import type { RateLimit } from '../domain/rate-limit.ts';
import { type InputRole, inputKey, isDeleted, type StoredInput, type Task } from '../domain/task.ts';
import { derivedTaskId, newTaskId } from '../domain/task-id.ts';
import { newTask } from '../domain/transitions.ts';
import type { VideoImages, VideoRequest } from '../domain/video-request.ts';
import { type Limiter, reserve } from './reserve.ts';

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly queue: StepQueue;
  readonly media: MediaStore;
  readonly logger: Logger;
  readonly now: Clock;
  readonly limiter: Limiter;
  readonly prices: Prices;
};

/** The task, and how its account stands where its creates are limited. */
export type CreatedVideo = { readonly task: Task; readonly rateLimit: RateLimit | undefined };

type NamedInput = { readonly input: StoredInput; readonly image: InputImage; readonly hash: string };

/** How often a task is written that meets another of its id, which is gone when it is looked for. */
const MAX_WRITE_TRIES = 5;

const rolesOf = (images: VideoImages): readonly (readonly [InputRole, InputImage])[] => {
  switch (images.mode) {
    case 'text':
      return [];
    case 'first_frame':
      return [['first_frame', images.firstFrame]];
    case 'first_and_last_frame':
      return [
        ['first_frame', images.firstFrame],
        ['last_frame', images.lastFrame],
      ];
    case 'references':
      return images.references.map((image) => ['reference', image] as const);
  }
};

const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** An input is stored under its content's hash, so that a repeated request cannot change another's inputs. */
const nameInputs = (task: Pick<Task, 'id' | 'createdAt'>, images: VideoImages): NamedInput[] =>
  rolesOf(images).map(([role, image], position) => {
    const imageHash = hash(image.bytes).slice(0, 32);
    const key = inputKey(task, `${position}-${imageHash}`);
    return { image, hash: imageHash, input: { role, key, mimeType: image.mimeType } };
  });

const acceptedTask = (
  identity: Pick<Task, 'id' | 'createdAt' | 'account' | 'keyId'>,
  { images, ...rest }: VideoRequest,
  named: readonly NamedInput[],
) => {
  const asked = { ...rest, mode: images.mode };
  const content = named.map(({ input: { role, mimeType }, hash }) => ({ role, mimeType, hash }));
  return newTask({
    ...identity,
    fingerprint: hash(JSON.stringify({ ...asked, content })),
    request: { ...asked, inputs: named.map(({ input }) => input) },
  });
};

/** The task that an earlier request with the same key made, if it asked for the same. */
const sameRequest = (earlier: Task, task: Task): Task => {
  const reused = (reason: string): DomainError =>
    new DomainError('idempotency_key_reused', `${reason}; use a new key for a new request.`);
  if (isDeleted(earlier)) throw reused('The video that this Idempotency-Key made is being deleted');
  if (earlier.fingerprint !== task.fingerprint)
    throw reused('This Idempotency-Key was used with another request');
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
const giveBack = async ({ limiter, logger }: Dependencies, task: Task, winner: Task): Promise<void> => {
  const { reservation, account, keyId } = task;
  if (reservation === undefined || reservation.id === winner.reservation?.id) return;
  const { id, month, charge } = reservation;
  await limiter.accounts
    .release({ id, kind: 'videos', account, keyId, month, amount: charge.amount })
    .catch((error: unknown) => {
      // The sweeper releases what belongs to no task.
      logger.error('reservation not released', error, { account, reservation: id });
    });
};

const hold = async (
  { limiter, prices }: Dependencies,
  caller: Caller,
  taskId: string,
  { model, seconds }: VideoRequest,
): Promise<{ reservation: Task['reservation']; rateLimit: RateLimit | undefined }> => {
  const charge = chargeFor(model, seconds, prices);
  const admission = await reserve(limiter, caller, { kind: 'videos', taskId, model, amount: charge.amount });
  if (admission === undefined) return { reservation: undefined, rateLimit: undefined };
  const { id, month } = admission.reservation;
  return { reservation: { id, month, charge }, rateLimit: admission.rateLimit };
};

export const createVideo = async (
  dependencies: Dependencies,
  caller: Caller,
  request: VideoRequest,
  idempotencyKey: string | undefined,
): Promise<CreatedVideo> => {
  const { tasks, media, queue, limiter, logger, now } = dependencies;
  const createdAt = now();
  const { account, keyId } = caller;
  const id = idempotencyKey === undefined ? newTaskId(createdAt) : derivedTaskId(account, idempotencyKey);
  const named = nameInputs({ id, createdAt }, request.images);
  const draft = acceptedTask({ id, createdAt, account, keyId }, request, named);

  // Inputs of a repeated request must not come back after its task has ended and removed them; nor is it
  // refused for the money that its first try holds.
  const isRepeatable = idempotencyKey !== undefined;
  const looksFirst = isRepeatable && (named.length > 0 || (await limiter.limitsOf(caller)) !== undefined);
  const earlier = looksFirst ? await tasks.find(id) : undefined;
  if (earlier !== undefined) return { task: sameRequest(earlier, draft), rateLimit: undefined };

  const { reservation, rateLimit } = await hold(dependencies, caller, id, request);
  const task = { ...draft, reservation };
  await Promise.all(named.map(({ input, image }) => media.putInput(input.key, image)));
  const winner = await createOnce(tasks, task);
  if (winner !== undefined) {
    await giveBack(dependencies, task, winner);
    return { task: sameRequest(winner, task), rateLimit };
  }
  logger.info('task created', { taskId: id, account, model: request.model, mode: request.images.mode });
  await queue.send({ taskId: id, account, step: task.step }, 0).catch((error: unknown) => {
    // The task is accepted already: the sweeper starts what the queue refused.
    logger.error('step not queued', error, { taskId: id, step: task.step });
  });
  return { task, rateLimit };
};
