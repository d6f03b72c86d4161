import type { Charge } from '../../billing/domain/charges.ts';
import {
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_TYPES,
  RESOLUTIONS,
  VIDEO_MODELS,
  VIDEO_MODES,
} from '../../catalogue/domain/models.ts';
import type { Attributes } from '../../platform/aws/attributes.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import type { Needs } from '../../upstream/domain/needs.ts';
import { INPUT_ROLES, VIDEO_ERROR_CODES, type VideoSource } from '../../upstream/domain/video-generator.ts';
import { videoNeeds } from '../domain/offered.ts';
import {
  LINE_REASONS,
  TASK_FORMS,
  TASK_STATUSES,
  type Task,
  type TaskPosition,
  WORK_KINDS,
} from '../domain/task.ts';

/** A key of an index accepts 1,000 writes a second. With 64 shards, 1,000 workers with 45 each put 700 on each. */
export const DUE_INDEX = dueIndex(64);

/** Items expire this long after their file, or after their creation if they have none. */
const ITEM_LIFETIME_SECONDS = 90 * 24 * 60 * 60;

/** Sorts the tasks of an account by time, then by id. */
export const listPosition = ({ id, createdAt }: Pick<Task, 'id' | 'createdAt'>): string =>
  `${timePosition(createdAt)}#${id}`;

/** Sorts before all tasks of this millisecond and after all earlier ones. */
export const timePosition = (time: number): string => String(time).padStart(15, '0');

/** Tasks that wait in line have a part of the due index for themselves, which the sweeper reads in the order of the tickets. */
export const lineShard = (model: string): string => `line/${model}`;

const dueKeys = ({ id, work, ticket, request }: Task) => {
  if (work === undefined) return {};
  return work.kind === 'wait'
    ? {
        due_shard: lineShard(request.model),
        due_at: ticket,
        deadline: work.dueAt,
        needs: videoNeeds(request),
      }
    : { due_shard: DUE_INDEX.shardFor(id), due_at: work.dueAt };
};

/** The task is stored under `task`. Only a task with work left has the keys of the due index. */
export const toItem = (task: Task): Attributes =>
  stored.encode({
    id: task.id,
    step: task.step,
    account: task.account,
    position: listPosition(task),
    ...dueKeys(task),
    expires: Math.floor((task.expiresAt ?? task.createdAt) / 1000) + ITEM_LIFETIME_SECONDS,
    task,
  });

/** Throws for a corrupt item, so that it is not mistaken for a missing one. */
export const fromItem = (item: Attributes): Task => {
  const task = readTask(stored.map(item, 'task'));
  if (task.id !== stored.text(item, 'id')) throw stored.corrupt('task.id');
  if (task.account !== stored.text(item, 'account')) throw stored.corrupt('task.account');
  return task;
};

/** Reads the keys alone, so that a list can continue after a corrupt task. */
export const readPosition = (item: Attributes): TaskPosition => ({
  account: stored.text(item, 'account'),
  createdAt: Number.parseInt(stored.text(item, 'position'), 10),
});

/** How long a list can continue from a removed task. */
const MARKER_LIFETIME_SECONDS = 24 * 60 * 60;

/** Replaces a removed task whose id does not contain its place in the list; it is in no index. */
export const toMarker = ({ id, account, createdAt }: Task, now: number): Attributes =>
  stored.encode({
    id,
    removed_task: { account, createdAt },
    expires: Math.floor(now / 1000) + MARKER_LIFETIME_SECONDS,
  });

export const readMarker = (item: Attributes): TaskPosition | undefined => {
  const removed = stored.optional(item, 'removed_task', stored.map);
  return (
    removed && { account: stored.text(removed, 'account'), createdAt: stored.time(removed, 'createdAt') }
  );
};

/** What a task that waits in line needs of an upstream: the index contains this part of it. */
export const readNeeds = (item: Attributes): Needs => {
  const needs = stored.map(item, 'needs');
  return {
    medium: 'video',
    mode: stored.oneOf(needs, 'mode', VIDEO_MODES),
    seconds: stored.oneOf(needs, 'seconds', DURATIONS),
    resolution: stored.oneOf(needs, 'resolution', RESOLUTIONS),
    aspectRatio: stored.oneOf(needs, 'aspectRatio', ASPECT_RATIOS),
    seed: stored.boolean(needs, 'seed'),
    negativePrompt: stored.boolean(needs, 'negativePrompt'),
  };
};

const readRequest = (request: Attributes): Task['request'] => ({
  model: stored.oneOf(request, 'model', VIDEO_MODELS),
  prompt: stored.text(request, 'prompt'),
  seconds: stored.oneOf(request, 'seconds', DURATIONS),
  resolution: stored.oneOf(request, 'resolution', RESOLUTIONS),
  aspectRatio: stored.oneOf(request, 'aspectRatio', ASPECT_RATIOS),
  negativePrompt: stored.optional(request, 'negativePrompt', stored.text),
  seed: stored.optional(request, 'seed', stored.number),
  mode: stored.oneOf(request, 'mode', VIDEO_MODES),
  inputs: stored.list(request, 'inputs', stored.map).map((input) => ({
    role: stored.oneOf(input, 'role', INPUT_ROLES),
    key: stored.text(input, 'key'),
    mimeType: stored.oneOf(input, 'mimeType', IMAGE_TYPES),
    fileId: stored.optional(input, 'fileId', stored.text),
  })),
});

const readSource = (source: Attributes): VideoSource => {
  const kind = stored.oneOf(source, 'kind', ['address', 'inline'] as const);
  return kind === 'address' ? { kind, uri: stored.text(source, 'uri') } : { kind };
};

const readCharge = (charge: Attributes): Charge => ({
  seconds: stored.number(charge, 'seconds'),
  unitPrice: stored.amountOrNull(charge, 'unitPrice'),
  amount: stored.amountOrNull(charge, 'amount'),
  currency: stored.textOrNull(charge, 'currency'),
});

const readOptional = <T>(from: Attributes, name: string, read: (inner: Attributes) => T): T | undefined =>
  stored.optional(from, name, (...at) => read(stored.map(...at)));

/** Requires every property of a task, because the next write would lose one that is not read. */
type Complete = { readonly [Property in keyof Required<Task>]: Task[Property] };

const readTask = (task: Attributes): Task =>
  ({
    id: stored.text(task, 'id'),
    account: stored.text(task, 'account'),
    keyId: stored.text(task, 'keyId'),
    personId: stored.optional(task, 'personId', stored.text),
    createdAt: stored.time(task, 'createdAt'),
    fingerprint: stored.text(task, 'fingerprint'),
    form: stored.optional(task, 'form', (...at) => stored.oneOf(...at, TASK_FORMS)),
    callbackUrl: stored.optional(task, 'callbackUrl', stored.text),
    request: readRequest(stored.map(task, 'request')),
    reservation: readOptional(task, 'reservation', (reservation) => ({
      id: stored.text(reservation, 'id'),
      month: stored.month(reservation, 'month'),
      countsForKey: stored.boolean(reservation, 'countsForKey'),
      charge: readCharge(stored.map(reservation, 'charge')),
    })),
    status: stored.oneOf(task, 'status', TASK_STATUSES),
    step: stored.number(task, 'step'),
    work: readOptional(task, 'work', (work) => ({
      kind: stored.oneOf(work, 'kind', WORK_KINDS),
      dueAt: stored.time(work, 'dueAt'),
    })),
    attempts: stored.number(task, 'attempts'),
    openSubmits: stored.number(task, 'openSubmits'),
    ticket: stored.optional(task, 'ticket', stored.number),
    waitsFor: stored.optional(task, 'waitsFor', (...at) => stored.oneOf(...at, LINE_REASONS)),
    upstream: readOptional(task, 'upstream', (upstream) => ({
      name: stored.text(upstream, 'name'),
      definition: stored.optional(upstream, 'definition', stored.text),
      substitute: stored.optional(upstream, 'substitute', stored.text),
      hasPlace: stored.boolean(upstream, 'hasPlace'),
      isIdempotent: stored.optional(upstream, 'isIdempotent', stored.boolean),
    })),
    lostPlace: stored.optional(task, 'lostPlace', stored.text),
    operation: stored.optional(task, 'operation', stored.text),
    submittedAt: stored.optional(task, 'submittedAt', stored.time),
    generatedAt: stored.optional(task, 'generatedAt', stored.time),
    refusedSince: stored.optional(task, 'refusedSince', stored.time),
    source: readOptional(task, 'source', readSource),
    upstreamCost: readOptional(task, 'upstreamCost', (cost) => ({
      amount: stored.amount(cost, 'amount'),
      currency: stored.text(cost, 'currency'),
    })),
    file: readOptional(task, 'file', (file) => ({
      key: stored.text(file, 'key'),
      bytes: stored.number(file, 'bytes'),
      width: stored.optional(file, 'width', stored.number),
      height: stored.optional(file, 'height', stored.number),
      seconds: stored.optional(file, 'seconds', stored.number),
    })),
    completedAt: stored.optional(task, 'completedAt', stored.time),
    failedAt: stored.optional(task, 'failedAt', stored.time),
    expiresAt: stored.optional(task, 'expiresAt', stored.time),
    inputsExpireAt: stored.optional(task, 'inputsExpireAt', stored.time),
    name: stored.optional(task, 'name', stored.text),
    charge: readOptional(task, 'charge', readCharge),
    error: readOptional(task, 'error', (error) => ({
      code: stored.oneOf(error, 'code', VIDEO_ERROR_CODES),
      message: stored.text(error, 'message'),
    })),
  }) satisfies Complete;
