import type { Charge } from '../../billing/domain/charges.ts';
import type { StorageChange } from '../../billing/domain/kept-storage.ts';
import type { Reservation } from '../../billing/domain/limits.ts';
import type { ImageType, VideoModel } from '../../catalogue/domain/models.ts';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import type { Cost } from '../../platform/domain/money.ts';
import { isKept } from '../../platform/domain/retention.ts';
import type { Needs } from '../../upstream/domain/needs.ts';
import type { ReturnedPlace, TakenPlace } from '../../upstream/domain/pool.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';
import type {
  GenerationRequest,
  InputRole,
  VideoError,
  VideoSource,
} from '../../upstream/domain/video-generator.ts';
import type { CheckedVideo } from './mp4.ts';

export const TASK_STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;
/** In which form the task is shown to its creator, if it is not our own. */
export const TASK_FORMS = ['openrouter'] as const;
export type TaskForm = (typeof TASK_FORMS)[number];
export type TaskStatus = (typeof TASK_STATUSES)[number];

/**
 * The next thing that the worker does with a task. `submitting`, `fetching` and `retain` are claims: whoever wrote one
 * has until `dueAt` to finish; only then may another try. A task with `wait` is in line for an upstream until it is
 * called. `retain` makes the stored file last as long as the task says.
 */
export const WORK_KINDS = [
  'submit',
  'wait',
  'submitting',
  'check',
  'fetch',
  'fetching',
  'settle',
  'retain',
  'delete',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];
const CLAIMS: readonly WorkKind[] = ['submitting', 'fetching', 'retain'];
type Work = { readonly kind: WorkKind; readonly dueAt: number };

/** What tasks in line wait for: an upstream with room, or the workers. */
export const LINE_REASONS = ['upstream', 'workers'] as const;
export type LineReason = (typeof LINE_REASONS)[number];

export type StoredInput = {
  readonly role: InputRole;
  readonly key: string;
  readonly mimeType: ImageType;
  /** Of a file of the account; undefined for an image that came with the request. */
  readonly fileId?: string | undefined;
};

/** The request with its images replaced by the keys of the stored objects. */
export type TaskRequest = GenerationRequest & { readonly inputs: readonly StoredInput[] };

/** The upstream that a submit was sent to, and whether the task has one of its `videosAtOnce` places. */
export type TaskUpstream = UpstreamReference & {
  readonly hasPlace: boolean;
  /** Whether a submit can be repeated there: it starts one operation for all submits of the task. */
  readonly isIdempotent?: boolean | undefined;
};

/** The task's share of its account's limits until it ends, and the charge that it will cause. */
type TaskReservation = Pick<Reservation, 'id' | 'month' | 'countsForKey'> & { readonly charge: Charge };

export type VideoFile = CheckedVideo & { readonly key: string };

export type Task = {
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  /** The person who made the request; undefined if the key or session belongs to the account. */
  readonly personId: string | undefined;
  readonly createdAt: number;
  readonly fingerprint: string;
  /** Undefined for our own. */
  readonly form: TaskForm | undefined;
  /** Gets the event of the task's end. */
  readonly callbackUrl: string | undefined;
  readonly request: TaskRequest;
  /** Undefined if the account has no limits. */
  readonly reservation: TaskReservation | undefined;
  readonly status: TaskStatus;
  /** Grows by one with each write; a message or a write for another step is stale. */
  readonly step: number;
  /** Undefined when nothing is left to do. */
  readonly work: Work | undefined;
  /** Failed attempts at the current work. */
  readonly attempts: number;
  /** Submits that the upstream may or may not have accepted. */
  readonly openSubmits: number;
  /** The task's number in the line for an upstream, which it keeps until it is submitted; undefined if it has not waited. */
  readonly ticket: number | undefined;
  /** Of the last time in line. */
  readonly waitsFor: LineReason | undefined;
  /** Undefined unless a submit is on its way or was accepted. */
  readonly upstream: TaskUpstream | undefined;
  /** The upstream with a place for a submit whose response was lost, if the task is now elsewhere. */
  readonly lostPlace: string | undefined;
  readonly operation: string | undefined;
  readonly submittedAt: number | undefined;
  /** When the upstream reported the video as finished. */
  readonly generatedAt: number | undefined;
  /** The first of an unbroken series of refused checks or fetches. */
  readonly refusedSince: number | undefined;
  readonly source: VideoSource | undefined;
  /** The upstream's own charge for the video, if it reports one. For the operator; the owner does not see it. */
  readonly upstreamCost: Cost | undefined;
  readonly file: VideoFile | undefined;
  readonly completedAt: number | undefined;
  readonly failedAt: number | undefined;
  /** When the file ends: `NEVER` if the video is kept. */
  readonly expiresAt: number | undefined;
  /** When the inputs end, if the video was ever kept: they are not. */
  readonly inputsExpireAt: number | undefined;
  /** The name that a person gave the video. */
  readonly name: string | undefined;
  readonly charge: Charge | undefined;
  readonly error: VideoError | undefined;
};

type AcceptedTask = Pick<Task, 'id' | 'account' | 'keyId' | 'createdAt' | 'fingerprint' | 'request'> &
  Partial<Pick<Task, 'reservation' | 'personId' | 'form' | 'callbackUrl'>>;

export const newTask = (accepted: AcceptedTask): Task => ({
  ...accepted,
  form: accepted.form,
  callbackUrl: accepted.callbackUrl,
  reservation: accepted.reservation,
  personId: accepted.personId,
  status: 'queued',
  step: 0,
  work: { kind: 'submit', dueAt: accepted.createdAt },
  attempts: 0,
  openSubmits: 0,
  ticket: undefined,
  waitsFor: undefined,
  upstream: undefined,
  lostPlace: undefined,
  operation: undefined,
  submittedAt: undefined,
  generatedAt: undefined,
  refusedSince: undefined,
  source: undefined,
  upstreamCost: undefined,
  file: undefined,
  completedAt: undefined,
  failedAt: undefined,
  expiresAt: undefined,
  inputsExpireAt: undefined,
  name: undefined,
  charge: undefined,
  error: undefined,
});

export const isTerminal = ({ status }: Task): boolean => status === 'completed' || status === 'failed';

/** Another worker may still be working on the task. */
export const isClaimed = ({ work }: Task, now: number): boolean =>
  work !== undefined && CLAIMS.includes(work.kind) && now < work.dueAt;

/** A submit that is on its way, or whose response was lost, may already cost money, so it counts as submitted. */
export const canBeCancelled = ({ work, openSubmits }: Task): boolean =>
  (work?.kind === 'submit' || work?.kind === 'wait') && openSubmits === 0;

export const QUEUE_REASONS = [
  'starting',
  'account_share',
  'upstream_retry',
  'upstream_limit',
  'workers',
] as const;
type QueueReason = (typeof QUEUE_REASONS)[number];

/** Why a queued task has not been submitted; undefined for others. */
export const queueReason = ({ status, work, step, attempts, waitsFor }: Task): QueueReason | undefined => {
  if (status !== 'queued') return undefined;
  if (work?.kind === 'wait') return waitsFor === 'workers' ? 'workers' : 'upstream_limit';
  if (work?.kind !== 'submit' || step === 0) return 'starting';
  return attempts > 0 ? 'upstream_retry' : 'account_share';
};

export const isCancelled = ({ error }: Task): boolean => error?.code === 'cancelled';

/** A deletion cannot be undone: the owner no longer sees the task, even if its objects still exist. */
export const isDeleted = ({ work }: Task): boolean => work?.kind === 'delete';

export const heldPlaces = ({ upstream, lostPlace }: Task): ReadonlySet<string> =>
  new Set([
    ...(upstream?.hasPlace === true ? [upstream.name] : []),
    ...(lostPlace === undefined ? [] : [lostPlace]),
  ]);

export type TaskPosition = Pick<Task, 'account' | 'createdAt'>;

export type TaskRepository = {
  /** False means that the id is taken. */
  create(task: Task): Promise<boolean>;
  find(id: string): Promise<Task | undefined>;
  /** Writes the state after step `next.step - 1` and, in the same write, returns places; false means that another delivery won. */
  advance(next: Task, returned?: readonly ReturnedPlace[]): Promise<boolean>;
  /** Like `advance`, and takes a place at an upstream; `full` means that the place is no longer free. */
  advanceWithPlace(next: Task, place: TakenPlace): Promise<boolean | 'full'>;
  /** Removes the task; false means that it has changed since it was read. */
  remove(task: Task): Promise<boolean>;
  /** The task's account and its place in the list; known until a day after the task is removed. */
  position(id: string): Promise<TaskPosition | undefined>;
};

export type TaskChanges<Storage = StorageChange> = {
  /** Like `advance`, with an audit entry and the account's storage; false means that one of them has changed. */
  write(next: Task, entry: AuditEntry, storage: Storage | undefined): Promise<boolean>;
};

/** Changes that return the bytes of a kept video. */
export type TaskDeletions = TaskChanges<Pick<StorageChange, 'account' | 'bytes'>>;

/** Selects tasks of an account; an undefined field matches every task. Times are milliseconds. */
export type TaskFilter = {
  readonly status: TaskStatus | undefined;
  readonly model: VideoModel | undefined;
  readonly keyId: string | undefined;
  readonly personId: string | undefined;
  readonly kept?: boolean | undefined;
  readonly createdFrom: number | undefined;
  readonly createdBefore: number | undefined;
};

/** Ignores the times: they bound the range that the list reads. */
export const matches = ({ status, request, keyId, personId, expiresAt }: Task, filter: TaskFilter): boolean =>
  (filter.kept === undefined || filter.kept === isKept({ expiresAt })) &&
  (filter.status === undefined || filter.status === status) &&
  (filter.model === undefined || filter.model === request.model) &&
  (filter.keyId === undefined || filter.keyId === keyId) &&
  (filter.personId === undefined || filter.personId === personId);

export type PageQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: { readonly id: string; readonly createdAt: number } | undefined;
  readonly filter?: TaskFilter | undefined;
};
export type TaskPage = {
  readonly tasks: readonly Task[];
  readonly hasMore: boolean;
  /** Where the next page starts, if tasks after the last one of this page were read and skipped. */
  readonly resumeAfter?: string | undefined;
};
export type TaskPages = {
  /** Tasks of an account, ordered by creation time. */
  page(account: string, query: PageQuery): Promise<TaskPage>;
};

/** Tasks that wait for an upstream with room, in the order of their tickets. */
export type WaitingTask = {
  readonly id: string;
  readonly account: string;
  readonly needs: Needs;
  readonly step: number;
  readonly ticket: number;
  /** When the task fails if it has not been submitted. */
  readonly deadline: number;
};

export type LinePositions = {
  /** The number of tasks up to this one, at most `MAX_POSITION`; undefined if it has been called. */
  position(task: Task): Promise<number | undefined>;
};

/** Nobody needs to know a larger one, and counting it would take several calls. */
export const MAX_POSITION = 1000;

export type WaitingLine = {
  /** A number for the next task of an account: accounts take turns, however many tasks they have. */
  ticket(account: string, model: VideoModel, served: number): Promise<number>;
  /** Keeps new tasks from overtaking the line until the given time. */
  hold(model: VideoModel, until: number): Promise<void>;
  waiting(model: VideoModel): AsyncIterable<WaitingTask>;
  /** Takes the task out of the line; its work is due at the given time. Returns its account, or undefined if it has moved on. */
  call(task: WaitingTask, dueAt: number): Promise<string | undefined>;
  /** Remembers the last ticket; without `until`, the line is empty. */
  advance(model: VideoModel, served: number, until: number | undefined): Promise<void>;
};

/** For the clean-up of inputs that belong to no task. */
export type TaskInputs = {
  /** The keys of the inputs of those tasks that exist. */
  inputKeys(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[] | 'unreadable'>>;
};

export type DueTask = { readonly id: string; readonly step: number; readonly sweeps: number };

/** Lists tasks of all accounts for the sweeper. */
export type DueTasks = {
  due(until: number): AsyncIterable<DueTask>;
  /** Postpones the work and returns the task's account; undefined means that the task has moved on. */
  postpone(task: DueTask, dueAt: number): Promise<string | undefined>;
};
