import {
  type Attributes,
  amountOrNull,
  boolean,
  corrupt,
  dueIndex,
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
} from '../../platform/aws/dynamo.ts';
import {
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_TYPES,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../platform/domain/models.ts';
import type { DueTask, TaskPosition } from '../domain/ports.ts';
import {
  type Charge,
  INPUT_ROLES,
  TASK_ERROR_CODES,
  TASK_STATUSES,
  type Task,
  type VideoSource,
  WORK_KINDS,
} from '../domain/task.ts';
import type { VideoMode } from '../domain/video-request.ts';

/** A task as DynamoDB holds it: the task itself under `task`, beside the keys of its indexes. */

/**
 * DynamoDB takes 1,000 write units a second for one key of an index, and a worker whose upstream turns it away at once
 * writes about 45. So 16 workers share a shard when Lambda runs as many of them as it allows, 1,000.
 */
export const DUE_INDEX = dueIndex(64);

/** Tasks go this long after their files, or after their creation where there is none. */
const ITEM_LIFETIME_SECONDS = 90 * 24 * 60 * 60;

/** Orders an account's tasks by time, then by id. */
export const orderOf = ({ id, createdAt }: Pick<Task, 'id' | 'createdAt'>): string =>
  `${timeOrder(createdAt)}#${id}`;

/** Before all tasks of this very moment, and after all earlier ones. */
export const timeOrder = (time: number): string => String(time).padStart(15, '0');

/** Only a task with work left has the keys of the due index, so that the index holds just those. */
export const toItem = (task: Task): Attributes =>
  encode({
    id: task.id,
    step: task.step,
    account: task.account,
    position: orderOf(task),
    due_shard: task.work === undefined ? undefined : DUE_INDEX.shardFor(task.id),
    due_at: task.work?.dueAt,
    expires: Math.floor((task.expiresAt ?? task.createdAt) / 1000) + ITEM_LIFETIME_SECONDS,
    task,
  });

/** A corrupt item throws: it is not the same as no item. */
export const fromItem = (item: Attributes): Task => {
  const task = readTask(map(item, 'task'));
  if (task.id !== text(item, 'id')) throw corrupt('task.id');
  if (task.account !== text(item, 'account')) throw corrupt('task.account');
  return task;
};

/** Whose a task is and its place in the list, from the keys alone: a list goes on also after a corrupt task. */
export const readPosition = (item: Attributes): TaskPosition => ({
  account: text(item, 'account'),
  createdAt: Number.parseInt(text(item, 'position'), 10),
});

/** How long a list can go on from a task that is removed. */
const MARKER_LIFETIME_SECONDS = 24 * 60 * 60;

/** What stays of a removed task whose id does not tell its place in the list; it is in no index. */
export const toMarker = ({ id, account, createdAt }: Task, now: number): Attributes =>
  encode({
    id,
    removed_task: { account, createdAt },
    expires: Math.floor(now / 1000) + MARKER_LIFETIME_SECONDS,
  });

/** Undefined for a task that is there. */
export const readMarker = (item: Attributes): TaskPosition | undefined => {
  const removed = optional(item, 'removed_task', map);
  return removed && { account: text(removed, 'account'), createdAt: time(removed, 'createdAt') };
};

/** An entry of the due index. */
export const readDueTask = (item: Attributes): DueTask => ({
  id: text(item, 'id'),
  step: number(item, 'step'),
  sweeps: optional(item, 'sweeps', number) ?? 0,
});

const MODES = [
  'text',
  'first_frame',
  'first_and_last_frame',
  'references',
] as const satisfies readonly VideoMode[];

const readRequest = (request: Attributes): Task['request'] => ({
  model: oneOf(request, 'model', VIDEO_MODELS),
  prompt: text(request, 'prompt'),
  seconds: oneOf(request, 'seconds', DURATIONS),
  resolution: oneOf(request, 'resolution', RESOLUTIONS),
  aspectRatio: oneOf(request, 'aspectRatio', ASPECT_RATIOS),
  negativePrompt: optional(request, 'negativePrompt', text),
  seed: optional(request, 'seed', number),
  mode: oneOf(request, 'mode', MODES),
  inputs: maps(request, 'inputs').map((input) => ({
    role: oneOf(input, 'role', INPUT_ROLES),
    key: text(input, 'key'),
    mimeType: oneOf(input, 'mimeType', IMAGE_TYPES),
  })),
});

const readSource = (source: Attributes): VideoSource => {
  const kind = oneOf(source, 'kind', ['address', 'inline'] as const);
  return kind === 'address' ? { kind, uri: text(source, 'uri') } : { kind };
};

const readCharge = (charge: Attributes): Charge => ({
  seconds: number(charge, 'seconds'),
  unitPrice: amountOrNull(charge, 'unitPrice'),
  amount: amountOrNull(charge, 'amount'),
  currency: textOrNull(charge, 'currency'),
});

/** Reads a map if it is there. */
const within = <T>(from: Attributes, name: string, read: (inner: Attributes) => T): T | undefined =>
  optional(from, name, (...at) => read(map(...at)));

/** Every property of a task stands here: one that is not read would be lost with the next write. */
type Complete = { readonly [Property in keyof Required<Task>]: Task[Property] };

export const readTask = (task: Attributes): Task =>
  ({
    id: text(task, 'id'),
    account: text(task, 'account'),
    keyId: text(task, 'keyId'),
    createdAt: time(task, 'createdAt'),
    fingerprint: text(task, 'fingerprint'),
    request: readRequest(map(task, 'request')),
    reservation: within(task, 'reservation', (reservation) => ({
      id: text(reservation, 'id'),
      month: month(reservation, 'month'),
      // Earlier versions counted for every key.
      countsForKey: optional(reservation, 'countsForKey', boolean) ?? true,
      charge: readCharge(map(reservation, 'charge')),
    })),
    status: oneOf(task, 'status', TASK_STATUSES),
    step: number(task, 'step'),
    work: within(task, 'work', (work) => ({
      kind: oneOf(work, 'kind', WORK_KINDS),
      dueAt: time(work, 'dueAt'),
    })),
    attempts: number(task, 'attempts'),
    openSubmits: number(task, 'openSubmits'),
    operation: optional(task, 'operation', text),
    submittedAt: optional(task, 'submittedAt', time),
    generatedAt: optional(task, 'generatedAt', time),
    refusedSince: optional(task, 'refusedSince', time),
    source: within(task, 'source', readSource),
    file: within(task, 'file', (file) => ({ key: text(file, 'key'), bytes: number(file, 'bytes') })),
    completedAt: optional(task, 'completedAt', time),
    failedAt: optional(task, 'failedAt', time),
    expiresAt: optional(task, 'expiresAt', time),
    charge: within(task, 'charge', readCharge),
    error: within(task, 'error', (error) => ({
      code: oneOf(error, 'code', TASK_ERROR_CODES),
      message: text(error, 'message'),
    })),
  }) satisfies Complete;
