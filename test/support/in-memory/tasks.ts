import type { DueTask } from '../../../functions/videos/domain/ports.ts';
import { isTerminal, type Task } from '../../../functions/videos/domain/task.ts';

type Item = { readonly task: Task; readonly dueAt: number | undefined; readonly sweeps: number };

const itemOf = (task: Task): Item => ({ task, dueAt: task.work?.dueAt, sweeps: 0 });

/** The task table with its conditions and its due index; every state ever written is kept to be looked at. */
export class MemoryTasks {
  readonly #items = new Map<string, Item>();
  readonly #waiting: { readonly id: string; readonly wake: () => void }[] = [];
  readonly history: Task[] = [];

  readonly create = (task: Task): boolean => {
    if (this.#items.has(task.id)) return false;
    this.#write(task);
    return true;
  };

  readonly find = (id: string): Task | undefined => this.#items.get(id)?.task;

  readonly advance = (next: Task): boolean => {
    if (this.#items.get(next.id)?.task.step !== next.step - 1) return false;
    this.#write(next);
    return true;
  };

  readonly remove = ({ id, step }: Task): boolean => {
    if (this.#items.get(id)?.task.step !== step) return false;
    return this.#items.delete(id);
  };

  readonly due = (before: number): DueTask[] =>
    [...this.#items.values()]
      .filter(({ dueAt }) => dueAt !== undefined && dueAt < before)
      .map(({ task, sweeps }) => ({ id: task.id, step: task.step, sweeps }));

  readonly postpone = ({ id, step, sweeps }: DueTask, dueAt: number): string | undefined => {
    const item = this.#items.get(id);
    if (item?.dueAt === undefined || item.task.step !== step) return undefined;
    this.#items.set(id, { ...item, dueAt, sweeps: sweeps + 1 });
    return item.task.account;
  };

  /** Resolves in the very moment in which the task ends. */
  readonly ended = (id: string): Promise<void> => {
    const task = this.#items.get(id)?.task;
    if (task === undefined || isTerminal(task)) return Promise.resolve();
    return new Promise((wake) => this.#waiting.push({ id, wake }));
  };

  readonly all = (): Task[] => [...this.#items.values()].map(({ task }) => task);

  #write(task: Task): void {
    this.#items.set(task.id, itemOf(task));
    this.history.push(task);
    if (isTerminal(task)) for (const { id, wake } of this.#waiting) if (id === task.id) wake();
  }
}
