import {
  type DueTask,
  type DueTasks,
  isTerminal,
  type Task,
  type TaskRepository,
} from '../../../functions/videos/domain/task.ts';
import { type Call, callAtOnce } from './call.ts';

type Item = { readonly task: Task; readonly dueAt: number | undefined; readonly sweeps: number };

type Options = {
  /** Whether every state of every task is kept for later checks. */
  readonly keepsHistory?: boolean;
  readonly onWrite?: (item: Item, before: Item | undefined) => void;
};

/** The task table with its conditions and its due index. */
export class MemoryTasks {
  readonly #options: Options;
  readonly #items = new Map<string, Item>();
  /** The items with work left, as the sparse index holds them. */
  readonly #due = new Map<string, Item>();
  readonly #waiting: { readonly id: string; readonly wake: () => void }[] = [];
  readonly history: Task[] = [];

  constructor(options: Options = {}) {
    this.#options = options;
  }

  get count(): number {
    return this.#items.size;
  }

  get withWork(): number {
    return this.#due.size;
  }

  readonly create = (task: Task): boolean => {
    if (this.#items.has(task.id)) return false;
    this.#writeTask(task);
    return true;
  };

  readonly find = (id: string): Task | undefined => this.#items.get(id)?.task;

  readonly advance = (next: Task): boolean => {
    if (this.#items.get(next.id)?.task.step !== next.step - 1) return false;
    this.#writeTask(next);
    return true;
  };

  readonly remove = ({ id, step }: Task): boolean => {
    if (this.#items.get(id)?.task.step !== step) return false;
    this.#due.delete(id);
    return this.#items.delete(id);
  };

  readonly due = (before: number): DueTask[] =>
    [...this.#due.values()]
      .filter(({ dueAt }) => dueAt !== undefined && dueAt < before)
      .map(({ task, sweeps }) => ({ id: task.id, step: task.step, sweeps }));

  readonly postpone = ({ id, step, sweeps }: DueTask, dueAt: number): string | undefined => {
    const item = this.#items.get(id);
    if (item?.dueAt === undefined || item.task.step !== step) return undefined;
    this.#write({ task: item.task, dueAt, sweeps: sweeps + 1 });
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
    this.#write({ task, dueAt: task.work?.dueAt, sweeps: 0 });
    if (this.#options.keepsHistory ?? true) this.history.push(task);
    if (isTerminal(task)) for (const { id, wake } of this.#waiting) if (id === task.id) wake();
  }

  #write(item: Item): void {
    const { id } = item.task;
    const before = this.#items.get(id);
    this.#items.set(id, item);
    if (item.dueAt === undefined) this.#due.delete(id);
    else this.#due.set(id, item);
    this.#options.onWrite?.(item, before);
  }
}

type TaskTable = Pick<MemoryTasks, 'create' | 'find' | 'advance' | 'remove' | 'due' | 'postpone'>;

export const tasksPort = (tasks: TaskTable, call: Call = callAtOnce): TaskRepository & DueTasks => ({
  create: (task) => call('tasks.create', () => tasks.create(task), false),
  find: (id) => call('tasks.find', () => tasks.find(id)),
  advance: (next) => call('tasks.advance', () => tasks.advance(next), false),
  remove: (task) => call('tasks.remove', () => tasks.remove(task), false),
  position: () => Promise.reject(new Error('no path of the worker lists tasks')),
  due: async function* (before) {
    yield* await call('tasks.due', () => tasks.due(before));
  },
  postpone: (task, dueAt) => call('tasks.postpone', () => tasks.postpone(task, dueAt)),
});
