import type { Charge } from '../../billing/domain/charges.ts';
import {
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_TYPES,
  RESOLUTIONS,
  VIDEO_MODELS,
  VIDEO_MODES,
} from '../../catalogue/domain/models.ts';
import {
  type Attributes,
  amount,
  amountOrNull,
  boolean,
  corrupt,
  encode,
  map,
  maps,
  month,
  number,
  oneOf,
  optional,
  text,
  textOrNull,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import type { Cost } from '../../platform/domain/money.ts';
import type { Needs } from '../../upstream/domain/capabilities.ts';
import { INPUT_ROLES, VIDEO_ERROR_CODES, type VideoSource } from '../../upstream/domain/video-generator.ts';
import { videoNeeds } from '../domain/offered.ts';
import {
  LINE_REASONS,
  TASK_STATUSES,
  type Task,
  type TaskPosition,
  type VideoFile,
  WORK_KINDS,
} from '../domain/task.ts';

/**
 * DynamoDB accepts 1,000 write units a second for one key of an index, and a worker whose upstream refuses everything
 * writes about 45. With 64 shards, 1,000 workers (Lambda's limit) put 16 on each.
 */
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
  encode({
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
  const task = readTask(map(item, 'task'));
  if (task.id !== text(item, 'id')) throw corrupt('task.id');
  if (task.account !== text(item, 'account')) throw corrupt('task.account');
  return task;
};

/** Reads the keys alone, so that a list can continue after a corrupt task. */
export const readPosition = (item: Attributes): TaskPosition => ({
  account: text(item, 'account'),
  createdAt: Number.parseInt(text(item, 'position'), 10),
});

/** How long a list can continue from a removed task. */
const MARKER_LIFETIME_SECONDS = 24 * 60 * 60;

/** Replaces a removed task whose id does not contain its place in the list; it is in no index. */
export const toMarker = ({ id, account, createdAt }: Task, now: number): Attributes =>
  encode({
    id,
    removed_task: { account, createdAt },
    expires: Math.floor(now / 1000) + MARKER_LIFETIME_SECONDS,
  });

/** Undefined for a task that was not removed. */
export const readMarker = (item: Attributes): TaskPosition | undefined => {
  const removed = optional(item, 'removed_task', map);
  return removed && { account: text(removed, 'account'), createdAt: time(removed, 'createdAt') };
};

/** What a task that waits in line needs of an upstream: the index contains this part of it. */
export const readNeeds = (item: Attributes): Needs => {
  const needs = map(item, 'needs');
  return {
    medium: 'video',
    mode: oneOf(needs, 'mode', VIDEO_MODES),
    seconds: oneOf(needs, 'seconds', DURATIONS),
    resolution: oneOf(needs, 'resolution', RESOLUTIONS),
    aspectRatio: oneOf(needs, 'aspectRatio', ASPECT_RATIOS),
    seed: boolean(needs, 'seed'),
    negativePrompt: boolean(needs, 'negativePrompt'),
  };
};

const readRequest = (request: Attributes): Task['request'] => ({
  model: oneOf(request, 'model', VIDEO_MODELS),
  prompt: text(request, 'prompt'),
  seconds: oneOf(request, 'seconds', DURATIONS),
  resolution: oneOf(request, 'resolution', RESOLUTIONS),
  aspectRatio: oneOf(request, 'aspectRatio', ASPECT_RATIOS),
  negativePrompt: optional(request, 'negativePrompt', text),
  seed: optional(request, 'seed', number),
  mode: oneOf(request, 'mode', VIDEO_MODES),
  inputs: maps(request, 'inputs').map((input) => ({
    role: oneOf(input, 'role', INPUT_ROLES),
    key: text(input, 'key'),
    mimeType: oneOf(input, 'mimeType', IMAGE_TYPES),
    fileId: optional(input, 'fileId', text),
  })),
});

const readSource = (source: Attributes): VideoSource => {
  const kind = oneOf(source, 'kind', ['address', 'inline'] as const);
  return kind === 'address' ? { kind, uri: text(source, 'uri') } : { kind };
};

const readCost = (cost: Attributes): Cost => ({
  amount: amount(cost, 'amount'),
  currency: text(cost, 'currency'),
});

const readFile = (file: Attributes): VideoFile => ({
  key: text(file, 'key'),
  bytes: number(file, 'bytes'),
  width: optional(file, 'width', number),
  height: optional(file, 'height', number),
  seconds: optional(file, 'seconds', number),
});

const readCharge = (charge: Attributes): Charge => ({
  seconds: number(charge, 'seconds'),
  unitPrice: amountOrNull(charge, 'unitPrice'),
  amount: amountOrNull(charge, 'amount'),
  currency: textOrNull(charge, 'currency'),
});

/** Reads an optional map. */
const readOptional = <T>(from: Attributes, name: string, read: (inner: Attributes) => T): T | undefined =>
  optional(from, name, (...at) => read(map(...at)));

/** Requires every property of a task, because the next write would lose one that is not read. */
type Complete = { readonly [Property in keyof Required<Task>]: Task[Property] };

const readTask = (task: Attributes): Task =>
  ({
    id: text(task, 'id'),
    account: text(task, 'account'),
    keyId: text(task, 'keyId'),
    personId: optional(task, 'personId', text),
    createdAt: time(task, 'createdAt'),
    fingerprint: text(task, 'fingerprint'),
    request: readRequest(map(task, 'request')),
    reservation: readOptional(task, 'reservation', (reservation) => ({
      id: text(reservation, 'id'),
      month: month(reservation, 'month'),
      // Earlier versions counted every reservation for its key.
      countsForKey: optional(reservation, 'countsForKey', boolean) ?? true,
      charge: readCharge(map(reservation, 'charge')),
    })),
    status: oneOf(task, 'status', TASK_STATUSES),
    step: number(task, 'step'),
    work: readOptional(task, 'work', (work) => ({
      kind: oneOf(work, 'kind', WORK_KINDS),
      dueAt: time(work, 'dueAt'),
    })),
    attempts: number(task, 'attempts'),
    openSubmits: number(task, 'openSubmits'),
    ticket: optional(task, 'ticket', number),
    waitsFor: optional(task, 'waitsFor', (...at) => oneOf(...at, LINE_REASONS)),
    upstream: readOptional(task, 'upstream', (upstream) => ({
      name: text(upstream, 'name'),
      definition: optional(upstream, 'definition', text),
      substitute: optional(upstream, 'substitute', text),
      hasPlace: boolean(upstream, 'hasPlace'),
      isIdempotent: optional(upstream, 'isIdempotent', boolean),
    })),
    lostPlace: optional(task, 'lostPlace', text),
    operation: optional(task, 'operation', text),
    submittedAt: optional(task, 'submittedAt', time),
    generatedAt: optional(task, 'generatedAt', time),
    refusedSince: optional(task, 'refusedSince', time),
    source: readOptional(task, 'source', readSource),
    upstreamCost: readOptional(task, 'upstreamCost', readCost),
    file: readOptional(task, 'file', readFile),
    completedAt: optional(task, 'completedAt', time),
    failedAt: optional(task, 'failedAt', time),
    expiresAt: optional(task, 'expiresAt', time),
    inputsExpireAt: optional(task, 'inputsExpireAt', time),
    name: optional(task, 'name', text),
    charge: readOptional(task, 'charge', readCharge),
    error: readOptional(task, 'error', (error) => ({
      code: oneOf(error, 'code', VIDEO_ERROR_CODES),
      message: text(error, 'message'),
    })),
  }) satisfies Complete;
