import type { Reservation } from '../../accounts/domain/limits.ts';
import { timeOfTaskId } from '../../platform/domain/ids.ts';
import type { ImageType, VideoModel } from '../../platform/domain/models.ts';
import type { VideoMode, VideoRequest } from './video-request.ts';

export const TASK_STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
export type TaskEvent = 'started' | 'stored' | 'failed';

/** Every legal move; a missing cell is an illegal one. */
export const TRANSITIONS = {
  queued: { started: 'in_progress', failed: 'failed' },
  in_progress: { stored: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
} as const satisfies Record<TaskStatus, Partial<Record<TaskEvent, TaskStatus>>>;

/**
 * What the worker does next with a task. `submitting` and `fetching` are claims: whoever wrote one is
 * at it until `dueAt`, and only after that may another try.
 */
export const WORK_KINDS = ['submit', 'submitting', 'check', 'fetch', 'fetching', 'settle', 'delete'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];
const CLAIMS: readonly WorkKind[] = ['submitting', 'fetching'];
type Work = { readonly kind: WorkKind; readonly dueAt: number };

export const TASK_ERROR_CODES = [
  'upstream_rejected',
  'upstream_unavailable',
  'rate_limited',
  'content_blocked',
  'generation_timeout',
  'queue_timeout',
  'internal',
] as const;
export type TaskErrorCode = (typeof TASK_ERROR_CODES)[number];
export type TaskError = { readonly code: TaskErrorCode; readonly message: string };

export const INPUT_ROLES = ['first_frame', 'last_frame', 'reference'] as const;
export type InputRole = (typeof INPUT_ROLES)[number];
export type StoredInput = { readonly role: InputRole; readonly key: string; readonly mimeType: ImageType };

/** Where the upstream keeps a finished video: at an address, or inside its own answer. */
export type VideoSource = { readonly kind: 'address'; readonly uri: string } | { readonly kind: 'inline' };

/** The request with its images stored, not inside. */
export type TaskRequest = Omit<VideoRequest, 'images'> & {
  readonly mode: VideoMode;
  readonly inputs: readonly StoredInput[];
};

/** The part of a charge that is fixed in the write that completes the task. */
export type Charge = {
  readonly seconds: number;
  readonly unitPrice: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
};

/** What the task holds of its account's limits until it ends, and what it will cost. */
export type TaskReservation = Pick<Reservation, 'id' | 'month' | 'countsForKey'> & {
  readonly charge: Charge;
};

export type Task = {
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  readonly createdAt: number;
  readonly fingerprint: string;
  readonly request: TaskRequest;
  /** Undefined where the account has no limits. */
  readonly reservation: TaskReservation | undefined;
  readonly status: TaskStatus;
  /** Goes up by one with each write: a message or a write that names another step is stale. */
  readonly step: number;
  /** Undefined when nothing is left to do. */
  readonly work: Work | undefined;
  /** Failed tries at the present work. */
  readonly attempts: number;
  /** Submits of which nobody knows whether the upstream took them. */
  readonly openSubmits: number;
  readonly operation: string | undefined;
  readonly submittedAt: number | undefined;
  /** When the upstream said that the video is there. */
  readonly generatedAt: number | undefined;
  /** Since when every check, or every fetch, has met a refusal that does not look like a passing fault. */
  readonly refusedSince: number | undefined;
  readonly source: VideoSource | undefined;
  readonly file: { readonly key: string; readonly bytes: number } | undefined;
  readonly completedAt: number | undefined;
  /** Unknown in tasks of earlier versions. */
  readonly failedAt: number | undefined;
  readonly expiresAt: number | undefined;
  readonly charge: Charge | undefined;
  readonly error: TaskError | undefined;
};

export const isTerminal = ({ status }: Task): boolean => status === 'completed' || status === 'failed';

/** Whoever wrote the claim may still be at it. */
export const isClaimed = ({ work }: Task, now: number): boolean =>
  work !== undefined && CLAIMS.includes(work.kind) && now < work.dueAt;

/** A deletion once asked for cannot be undone: the task is gone for its owner, whatever is left to remove. */
export const isDeleted = ({ work }: Task): boolean => work?.kind === 'delete';

type Named = Pick<Task, 'id' | 'createdAt'>;

/**
 * What a task's objects and charge are named after. An id that an idempotency key gave can come again after a
 * deletion: with its time, what is left of the first task cannot touch the second.
 */
export const storageName = ({ id, createdAt }: Named): string =>
  timeOfTaskId(id) === undefined ? `${id}.${createdAt}` : id;

export const videoKey = (task: Named): string => `videos/${storageName(task)}.mp4`;
export const INPUT_PREFIX = 'inputs/';
export const inputKey = (task: Named, name: string): string => `${INPUT_PREFIX}${storageName(task)}/${name}`;
/** Of an input that was stored for its task alone; a file serves others too. */
export const isOwnInput = ({ key }: StoredInput): boolean => key.startsWith(INPUT_PREFIX);
export const taskIdOfInput = (key: string): string | undefined =>
  key.startsWith(INPUT_PREFIX) ? key.slice(INPUT_PREFIX.length).split(/[./]/)[0] : undefined;

/** Which tasks of an account a list shows; what is undefined shows all. Times are milliseconds. */
export type TaskFilter = {
  readonly status: TaskStatus | undefined;
  readonly model: VideoModel | undefined;
  readonly keyId: string | undefined;
  readonly createdFrom: number | undefined;
  readonly createdBefore: number | undefined;
};

/** Whether a task has what the filter asks for; its time is a matter of where the list begins and ends. */
export const matches = ({ status, request, keyId }: Task, filter: TaskFilter): boolean =>
  (filter.status === undefined || filter.status === status) &&
  (filter.model === undefined || filter.model === request.model) &&
  (filter.keyId === undefined || filter.keyId === keyId);
