import type { ChargeRecord, ListedCharge } from '../../accounts/domain/billing.ts';
import type { DailyUse } from '../../accounts/domain/daily-use.ts';
import type { AccountUse, Ceilings, Limits, Reservation } from '../../accounts/domain/limits.ts';
import type { ImageAnswer, ImageRequest } from '../../images/domain/image-request.ts';
import type { StoredInput, Task, TaskError, TaskRequest, VideoSource } from '../../videos/domain/task.ts';
import type { TaskFilter } from '../../videos/domain/task-filter.ts';
import type { ApiKey } from './api-key.ts';
import type { InputImage } from './input-image.ts';
import type { LogEvent, LogEvents } from './log-events.ts';
import type { Session, SignInLink } from './session.ts';
import type { SlowStep } from './share.ts';

/** What the use cases need of the world; the adapters provide it. */

export type Clock = () => number;

export type TaskPosition = Pick<Task, 'account' | 'createdAt'>;
export type TaskPage = {
  readonly tasks: readonly Task[];
  readonly hasMore: boolean;
  /** Where the next page goes on, where tasks after the last of this page were read and passed over. */
  readonly resumeAfter?: string | undefined;
};
export type PageQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: { readonly id: string; readonly createdAt: number } | undefined;
  readonly filter?: TaskFilter | undefined;
};
export type DueTask = { readonly id: string; readonly step: number; readonly sweeps: number };

export type TaskRepository = {
  /** False means that the identifier is taken. */
  create(task: Task): Promise<boolean>;
  find(id: string): Promise<Task | undefined>;
  /** Writes the successor of `next.step - 1`; false means that another delivery won. */
  advance(next: Task): Promise<boolean>;
  /** Removes a task as it is; false means that it has moved on. */
  remove(task: Task): Promise<boolean>;
  /** Whose a task is or was, and its place in the list; known for a day after its removal. */
  position(id: string): Promise<TaskPosition | undefined>;
};

export type TaskPages = {
  /** Tasks of an account in the order of their creation. */
  page(account: string, query: PageQuery): Promise<TaskPage>;
};

/** Lists tasks of all accounts for the sweeper. */
export type DueTasks = {
  /** Tasks whose work is due by the given time. */
  due(until: number): AsyncIterable<DueTask>;
  /** Puts off the work of a task that is still at the given step, and says whose it is; undefined means that it has moved on. */
  postpone(task: DueTask, dueAt: number): Promise<string | undefined>;
};

export type ChargeRepository<Kind extends { readonly id: string } = ChargeRecord> = {
  /** Writes the record, and adds it to its day, unless it is there already; its reservation ends with it. */
  record(charge: Kind, reservation?: ReservedMoney): Promise<void>;
};

/** A place in the list of an account's charges. */
export type ChargePosition = { readonly id: string; readonly time: number };
export type ChargeQuery = {
  /** Milliseconds, the first included, the last not. */
  readonly from: number;
  readonly to: number;
  readonly newestFirst: boolean;
  readonly after: ChargePosition | undefined;
  /** How many one read brings. */
  readonly atOnce: number;
};
export type ChargeList = {
  /** The account's charges in the order of their times. */
  list(account: string, query: ChargeQuery): AsyncIterable<ListedCharge>;
};

export type UsageRepository = {
  /** What an account used on the UTC days from the first to the last, both included, such as `2026-11-15`. */
  days(account: string, from: string, to: string): AsyncIterable<DailyUse>;
};

/** What is needed to end a reservation. */
export type ReservedMoney = Pick<
  Reservation,
  'id' | 'kind' | 'account' | 'keyId' | 'countsForKey' | 'month' | 'amount' | 'taskId'
>;

export type StoredAccount = {
  /** Null where a default does not hold for this account. */
  readonly limits: { readonly [Name in keyof Limits]: Limits[Name] | null };
  /** Charged and reserved in the present UTC month. */
  readonly committed: string;
  /** Creates in the present minute. */
  readonly creates: number;
  /** Counters of periods that are over; the next reservation removes them. */
  readonly outdated: readonly string[];
};

export type ReserveOptions = {
  readonly outdated: readonly string[];
  /** Whether it is known to take its account past most of its budget, and marks the account. */
  readonly marksBudget: boolean;
};

export type ReserveOutcome =
  | { readonly outcome: 'reserved' }
  /** The task has a reservation already. */
  | { readonly outcome: 'taken'; readonly held: Reservation }
  /** A limit is in the way, or else the mark that the operator hears by; a count that is not in the way may be 0. */
  | { readonly outcome: 'refused'; readonly use: AccountUse };

export type AccountRepository = {
  find(account: string, now: number): Promise<StoredAccount | undefined>;
  /** Holds price and place in one transaction with what the account and its key have used. */
  reserve(reservation: Reservation, ceilings: Ceilings, options: ReserveOptions): Promise<ReserveOutcome>;
  /** Makes a reservation anew without changing what it holds; false means that it is gone, or was made anew since. */
  renew(held: Reservation, at: number): Promise<boolean>;
  /** Takes a reservation back, unless it was made anew since the given time; false means that it is gone already. */
  release(reservation: ReservedMoney, madeAt?: number): Promise<boolean>;
};

/** Lists reservations for the sweeper: one is due when the request that made it must have ended. */
export type DueReservations = {
  /** Those of all accounts that are due by the given time. */
  due(until: number): AsyncIterable<Reservation>;
  /** Puts off the next look at a reservation that belongs to a task; false means that it is gone. */
  postpone(reservation: Reservation, dueAt: number): Promise<boolean>;
};

export type KeyRepository = {
  findByHash(hash: string): Promise<ApiKey | undefined>;
};

export type KeyAdministration = {
  add(key: ApiKey): Promise<void>;
  /** The newest first. */
  listAccount(account: string): Promise<readonly ApiKey[]>;
  /** False when the key is not found. */
  revoke(hash: string, now: number): Promise<boolean>;
};

export type SessionRepository = {
  find(id: string): Promise<Session | undefined>;
};

export type SessionAdministration = {
  addLink(link: SignInLink): Promise<void>;
  /** Undefined means that the link is unknown, used or too old: it can be redeemed once. */
  redeem(session: Omit<Session, 'account'>): Promise<Session | undefined>;
  /** Also those that have expired and are not removed yet. */
  list(account: string): Promise<readonly Session[]>;
  /** False when the account has no such session. */
  end(account: string, id: string): Promise<boolean>;
  /** Ends the sessions of an account and its unused links. */
  endAll(account: string): Promise<void>;
};

/** What a check needs to know of its task, so that one that finds nothing new need not read it. */
type Poll = {
  readonly operation: string;
  readonly submittedAt: number;
  readonly leaseUntil: number;
};
export type StepMessage = {
  readonly taskId: string;
  /** Whose task it is, so that one account's messages cannot hold up another's; unknown in those of earlier versions. */
  readonly account?: string | undefined;
  readonly step: number;
  readonly poll?: Poll | undefined;
  /** When its delay was over; the queue notes it. Unknown in those of earlier versions. */
  readonly readyAt?: number | undefined;
};
export type StepQueue = {
  send(message: StepMessage, delayMs: number): Promise<void>;
  /** Sends all of them without delay; returns those that the queue refused. */
  sendAll(messages: readonly StepMessage[]): Promise<readonly StepMessage[]>;
};

export type QueueDepth = {
  /** How many messages could be received now, approximately. */
  waiting(): Promise<number>;
};

/** The steps that hold a worker for long, of all owners. */
export type SlowSteps = {
  /** Counts a step until it ends, or its time is over; false means that its owner has its share already. */
  begin(step: SlowStep, now: number): Promise<boolean>;
  end(step: SlowStep): Promise<void>;
};

/** An input image that a task names is not in the store: trying again cannot help. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
}

/** A file that was found; what was asked for of it is read once, or left. */
export type OpenedFile = {
  /** Of the whole file. */
  readonly bytes: number;
  readonly expiresAt: number;
  read(): Promise<Uint8Array>;
  leave(): void;
};
export type FileReader = {
  /** A file or its first bytes; undefined where the key is not found. */
  openFile(key: string, firstBytes?: number): Promise<OpenedFile | undefined>;
};

export type StoredObject = { readonly key: string; readonly storedAt: number };
export type MediaStore = FileReader & {
  putInput(key: string, image: InputImage): Promise<void>;
  /** Throws MissingInput where the key is not found. */
  getInput(key: string): Promise<Uint8Array>;
  /** Stores the video once it has come to its end; a source that throws leaves nothing behind. */
  putVideo(key: string, video: AsyncIterable<Uint8Array>): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  inputs(): AsyncIterable<StoredObject>;
};

export type LinkMethod = 'GET' | 'HEAD';

export type VideoLinks = {
  /** An address that serves the video, by this method alone, to whoever holds it, for a few minutes. */
  sign(key: string, fileName: string, method: LinkMethod): Promise<string>;
};

export type OperationState =
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly source: VideoSource }
  | { readonly state: 'failed'; readonly error: TaskError };

export type LoadedInput = Pick<StoredInput, 'role'> & InputImage;

/** An asynchronous generator: `submit` gives an opaque operation, `check` tells how far it is. */
export type VideoGenerator = {
  submit(request: TaskRequest, inputs: readonly LoadedInput[]): Promise<string>;
  check(operation: string): Promise<OperationState>;
  open(operation: string, source: VideoSource): Promise<AsyncIterable<Uint8Array>>;
};

/** A generator that answers with the image itself. */
export type ImageGenerator = {
  generate(request: ImageRequest, options: { readonly timeoutMs: number }): Promise<ImageAnswer>;
};

/** What happened, for logs and metrics. */
export type Logger = {
  info<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void;
  /** For what an operator must see. */
  error<Event extends LogEvent>(event: Event, error: unknown, fields: LogEvents[Event]): void;
};
