import type { AuditEntry } from '../../../functions/identity/domain/audit.ts';
import type { ReturnedPlace, TakenPlace } from '../../../functions/upstream/domain/pool.ts';
import { videoNeeds } from '../../../functions/videos/domain/offered.ts';
import {
  type DueTask,
  type DueTasks,
  isTerminal,
  type Task,
  type TaskDeletions,
  type TaskInputs,
  type TaskRepository,
  type WaitingTask,
} from '../../../functions/videos/domain/task.ts';
import { type Call, callAtOnce } from './call.ts';
import type { MemoryPool } from './upstreams.ts';

export type Item = {
  readonly task: Task;
  readonly dueAt: number | undefined;
  readonly sweeps: number;
  /** A task that waits in line is in the due index only after its call. */
  readonly isCalled: boolean;
};

type Options = {
  /** Whether every state of every task is kept for later checks. */
  readonly keepsHistory?: boolean;
  readonly onWrite?: (item: Item, before: Item | undefined) => void;
  /** Where tasks have places; needed by those with several upstreams. */
  readonly pool?: MemoryPool;
};

/** The task table with its conditions and its due index. */
export class MemoryTasks {
  readonly #options: Options;
  readonly #items = new Map<string, Item>();
  /** The items with work left, as the sparse index holds them. */
  readonly #due = new Map<string, Item>();
  /** Those of them that wait in line. */
  readonly #inLine = new Map<string, Item>();
  readonly #waiting: { readonly id: string; readonly wake: () => void }[] = [];
  readonly history: Task[] = [];
  /** The audit entries that were written with a deletion. */
  readonly entries: AuditEntry[] = [];

  constructor(options: Options = {}) {
    this.#options = options;
  }

  get count(): number {
    return this.#items.size;
  }

  get withWork(): number {
    return this.#due.size;
  }

  /** Whether a task waits in line. */
  get isAnyWaiting(): boolean {
    return this.#inLine.size > 0;
  }

  readonly create = (task: Task): boolean => {
    if (this.#items.has(task.id)) return false;
    this.#writeTask(task);
    return true;
  };

  readonly find = (id: string): Task | undefined => this.#items.get(id)?.task;

  readonly advance = (next: Task, returned: readonly ReturnedPlace[] = []): boolean => {
    if (this.#items.get(next.id)?.task.step !== next.step - 1) return false;
    for (const place of returned) this.#options.pool?.giveBack(place);
    this.#writeTask(next);
    return true;
  };

  readonly requestDeletion = (next: Task, entry: AuditEntry): boolean => {
    const isWritten = this.advance(next);
    if (isWritten) this.entries.push(entry);
    return isWritten;
  };

  readonly advanceWithPlace = (next: Task, place: TakenPlace): boolean | 'full' => {
    if (this.#items.get(next.id)?.task.step !== next.step - 1) return false;
    if (this.#options.pool?.take(place) !== true) return 'full';
    this.#writeTask(next);
    return true;
  };

  /** The line of a model, in the order of its tickets. */
  readonly waiting = (model: string): WaitingTask[] =>
    [...this.#inLine.values()]
      .filter(({ task }) => task.request.model === model)
      .map(({ task }) => ({
        id: task.id,
        account: task.account,
        needs: videoNeeds(task.request),
        step: task.step,
        ticket: task.ticket ?? 0,
        deadline: task.work?.dueAt ?? 0,
      }))
      .toSorted((one, other) => one.ticket - other.ticket || (one.id < other.id ? -1 : 1));

  readonly callUp = ({ id, step }: WaitingTask, dueAt: number): string | undefined => {
    const item = this.#items.get(id);
    if (item === undefined || item.isCalled || item.task.step !== step || item.task.work?.kind !== 'wait')
      return undefined;
    this.#write({ ...item, dueAt, isCalled: true });
    return item.task.account;
  };

  readonly remove = ({ id, step }: Task): boolean => {
    if (this.#items.get(id)?.task.step !== step) return false;
    this.#due.delete(id);
    this.#inLine.delete(id);
    return this.#items.delete(id);
  };

  readonly due = (until: number): DueTask[] =>
    [...this.#due.values()]
      .filter(({ dueAt, task }) => !this.#inLine.has(task.id) && dueAt !== undefined && dueAt <= until)
      .map(({ task, sweeps }) => ({ id: task.id, step: task.step, sweeps }));

  readonly postpone = ({ id, step, sweeps }: DueTask, dueAt: number): string | undefined => {
    const item = this.#items.get(id);
    if (item?.dueAt === undefined || item.task.step !== step) return undefined;
    this.#write({ ...item, dueAt, sweeps: sweeps + 1 });
    return item.task.account;
  };

  /** Resolves in the very moment in which the task ends. */
  readonly ended = (id: string): Promise<void> => {
    const task = this.#items.get(id)?.task;
    if (task === undefined || isTerminal(task)) return Promise.resolve();
    return new Promise((wake) => this.#waiting.push({ id, wake }));
  };

  readonly all = (): Task[] => [...this.#items.values()].map(({ task }) => task);

  #writeTask(task: Task): void {
    this.#write({ task, dueAt: task.work?.dueAt, sweeps: 0, isCalled: false });
    if (this.#options.keepsHistory ?? true) this.history.push(task);
    if (isTerminal(task)) for (const { id, wake } of this.#waiting) if (id === task.id) wake();
  }

  #write(item: Item): void {
    const { id } = item.task;
    const before = this.#items.get(id);
    this.#items.set(id, item);
    if (item.dueAt === undefined) this.#due.delete(id);
    else this.#due.set(id, item);
    if (item.task.work?.kind === 'wait' && !item.isCalled) this.#inLine.set(id, item);
    else this.#inLine.delete(id);
    this.#options.onWrite?.(item, before);
  }
}

type TaskTable = Pick<
  MemoryTasks,
  'create' | 'find' | 'advance' | 'advanceWithPlace' | 'remove' | 'due' | 'postpone'
>;

export const tasksPort = (
  tasks: TaskTable,
  call: Call = callAtOnce,
  advance = tasks.advance,
): TaskRepository & DueTasks & TaskInputs => ({
  create: (task) => call('tasks.create', () => tasks.create(task), false),
  find: (id) => call('tasks.find', () => tasks.find(id)),
  advance: (next, returned) => call('tasks.advance', () => advance(next, returned), false),
  advanceWithPlace: (next, place) =>
    call<boolean | 'full'>('tasks.advanceWithPlace', () => tasks.advanceWithPlace(next, place), false),
  remove: (task) => call('tasks.remove', () => tasks.remove(task), false),
  position: () => Promise.reject(new Error('no path of the worker lists tasks')),
  due: async function* (before) {
    yield* await call('tasks.due', () => tasks.due(before));
  },
  postpone: (task, dueAt) => call('tasks.postpone', () => tasks.postpone(task, dueAt)),
  inputKeys: (ids) =>
    call('tasks.inputKeys', () => {
      const found = ids.map((id) => tasks.find(id)).filter((task) => task !== undefined);
      return new Map(found.map(({ id, request }) => [id, request.inputs.map(({ key }) => key)] as const));
    }),
});

export const deletionsPort = (
  tasks: Pick<MemoryTasks, 'requestDeletion'>,
  call: Call = callAtOnce,
): TaskDeletions => ({
  // Not refused after a lost response: the SDK's token makes a repeated transaction succeed again.
  write: (next, entry) => call('tasks.requestDeletion', () => tasks.requestDeletion(next, entry)),
});
