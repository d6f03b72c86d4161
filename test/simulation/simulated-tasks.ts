import type { DueTask, TaskRepository } from '../../functions/domain/ports.ts';
import { isTerminal, type Task } from '../../functions/domain/task.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import type { Call } from './simulated-calls.ts';

type Item = { readonly task: Task; readonly dueAt: number | undefined; readonly sweeps: number };

const DUE_SHARDS = 4;
/** Keys of the item and its indexes, beside the task itself. */
const KEY_BYTES = 150;
const DUE_ENTRY_BYTES = 120;
const [WRITE_UNIT, READ_UNIT, PAGE] = [1024, 4096, 1024 * 1024] as const;

const shardOf = (id: string): string => `due/${id.charCodeAt(id.length - 1) % DUE_SHARDS}`;

/** A new sort key is a removal and a put. */
const dueUnits = (before: number | undefined, after: number | undefined): number => {
  if (before === undefined && after === undefined) return 0;
  return before !== undefined && after !== undefined && before !== after ? 2 : 1;
};

type Options = {
  readonly call: Call;
  readonly now: () => number;
  readonly writes: CapacityMeter;
  readonly reads: CapacityMeter;
  /** All requests are alike here: their size is measured once. */
  readonly requestBytes: number;
  readonly onEnd: (task: Task) => void;
};

/** The task table with its conditions, its indexes and what they consume. */
export class SimulatedTasks implements TaskRepository {
  readonly #options: Options;
  readonly #items = new Map<string, Item>();
  /** Those with work left, as the sparse index holds them. */
  readonly #due = new Map<string, Item>();

  constructor(options: Options) {
    this.#options = options;
  }

  get withWork(): number {
    return this.#due.size;
  }

  get count(): number {
    return this.#items.size;
  }

  readonly all = (): readonly Task[] => Array.from(this.#items.values(), ({ task }) => task);

  readonly create = (task: Task): Promise<boolean> =>
    this.#options.call('dynamoWrite', () => {
      if (this.#items.has(task.id)) return this.#refuse();
      this.#write({ task, dueAt: task.work?.dueAt, sweeps: 0 });
      return true;
    });

  readonly find = (id: string): Promise<Task | undefined> =>
    this.#options.call('dynamoRead', () => {
      const task = this.#items.get(id)?.task;
      this.#read(
        'tasks',
        task === undefined ? 1 : Math.ceil(bytesOf(task, this.#options.requestBytes) / READ_UNIT),
      );
      return task;
    });

  readonly advance = (next: Task): Promise<boolean> =>
    this.#options.call('dynamoWrite', () => {
      if (this.#items.get(next.id)?.task.step !== next.step - 1) return this.#refuse();
      this.#write({ task: next, dueAt: next.work?.dueAt, sweeps: 0 });
      return true;
    });

  readonly postpone = ({ id, step, sweeps }: DueTask, dueAt: number): Promise<string | undefined> =>
    this.#options.call('dynamoWrite', () => {
      const item = this.#items.get(id);
      if (item?.dueAt === undefined || item.task.step !== step) {
        this.#refuse();
        return undefined;
      }
      this.#write({ task: item.task, dueAt, sweeps: sweeps + 1 });
      return item.task.account;
    });

  async *due(before: number): AsyncGenerator<DueTask> {
    for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
      const found = await this.#options.call('dynamoQuery', () => this.#overdue(`due/${shard}`, before));
      for (let page = PAGE / DUE_ENTRY_BYTES; page < found.length; page += PAGE / DUE_ENTRY_BYTES)
        await this.#options.call('dynamoQuery', () => undefined);
      yield* found;
    }
  }

  readonly remove = (): Promise<boolean> => Promise.reject(new Error('nobody deletes here'));
  readonly position = (): Promise<undefined> => Promise.reject(new Error('nobody lists here'));
  readonly page = (): Promise<never> => Promise.reject(new Error('nobody lists here'));

  #overdue(shard: string, before: number): DueTask[] {
    const found: DueTask[] = [];
    for (const [id, { task, dueAt, sweeps }] of this.#due)
      if (dueAt !== undefined && dueAt < before && shardOf(id) === shard)
        found.push({ id, step: task.step, sweeps });
    // Indexes are read with eventual consistency, at half the price.
    this.#read(shard, 0.5 * Math.ceil(Math.max(1, found.length * DUE_ENTRY_BYTES) / READ_UNIT));
    return found;
  }

  #write(item: Item): void {
    const { task, dueAt } = item;
    const before = this.#items.get(task.id);
    const now = this.#options.now();
    const { writes } = this.#options;
    const units = Math.ceil(bytesOf(task, this.#options.requestBytes) / WRITE_UNIT);
    const index = dueUnits(before?.dueAt, dueAt);
    writes.add('tasks', 2 * units + index, now);
    writes.add(`tasks/by-account/${task.account}`, units, now);
    if (index > 0) writes.add(shardOf(task.id), index, now);
    this.#items.set(task.id, item);
    if (dueAt === undefined) this.#due.delete(task.id);
    else this.#due.set(task.id, item);
    if (isTerminal(task) && before !== undefined && !isTerminal(before.task)) this.#options.onEnd(task);
  }

  /** A condition that does not hold consumes as well. */
  #refuse(): false {
    this.#options.writes.add('tasks', 1, this.#options.now());
    return false;
  }

  #read(name: string, units: number): void {
    const now = this.#options.now();
    this.#options.reads.add('tasks', units, now);
    if (name !== 'tasks') this.#options.reads.add(name, units, now);
  }
}

const bytesOf = ({ request: _request, ...rest }: Task, requestBytes: number): number =>
  requestBytes + JSON.stringify(rest).length + KEY_BYTES;
