import {
  type Attributes,
  amountOrNull,
  boolean,
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
import {
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_TYPES,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../platform/domain/models.ts';
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
