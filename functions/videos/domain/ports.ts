import type { InputImage } from '../../platform/domain/input-image.ts';
import type { StoredInput, Task, TaskError, TaskFilter, TaskRequest, VideoSource } from './task.ts';

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

/** An input image that a task names is not in the store: trying again cannot help. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
}

export type StoredObject = { readonly key: string; readonly storedAt: number };
export type MediaStore = {
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
