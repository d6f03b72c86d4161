import { DUE_INDEX } from '../../functions/videos/adapters/dynamo-tasks.ts';
import {
  type DueTask,
  isTerminal,
  type Task,
  type TaskRepository,
} from '../../functions/videos/domain/task.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import type { Call } from './simulated-calls.ts';

type Item = { readonly task: Task; readonly dueAt: number | undefined; readonly sweeps: number };

/** Keys of the item and its indexes, beside the task itself. */
const KEY_BYTES = 150;
const DUE_ENTRY_BYTES = 120;
const [WRITE_UNIT, READ_UNIT, PAGE] = [1024, 4096, 1024 * 1024] as const;

const shardName = (id: string): string => `due/${DUE_INDEX.shardFor(id)}`;

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
    const overdue = this.#overdue(before);
    const shards = await Promise.all(
      DUE_INDEX.shards.map((shard) =>
        this.#options.call('dynamoQuery', () => this.#readShard(shard, overdue.get(shard) ?? [])),
      ),
    );
    // One of each shard at a time, as the adapter does.
    const longest = Math.max(...shards.map(({ length }) => length));
    for (let place = 0; place < longest; place += 1) {
      if (place > 0 && place % (PAGE / DUE_ENTRY_BYTES) < 1)
        await this.#options.call('dynamoQuery', () => undefined);
      for (const found of shards) {
        const one = found[place];
        if (one !== undefined) yield one;
      }
    }
  }

  readonly remove = (): Promise<boolean> => Promise.reject(new Error('nobody deletes here'));
  readonly position = (): Promise<undefined> => Promise.reject(new Error('nobody lists here'));
  readonly page = (): Promise<never> => Promise.reject(new Error('nobody lists here'));

  #overdue(before: number): Map<string, DueTask[]> {
    const found = Array.from(this.#due)
      .filter(([, { dueAt }]) => dueAt !== undefined && dueAt < before)
      .map(([id, { task, sweeps }]) => ({ id, step: task.step, sweeps }));
    return Map.groupBy(found, ({ id }) => DUE_INDEX.shardFor(id));
  }

  /** Indexes are read with eventual consistency, at half the price. */
  #readShard(shard: string, found: DueTask[]): DueTask[] {
    const units = Math.ceil(Math.max(1, found.length * DUE_ENTRY_BYTES) / READ_UNIT);
    this.#read(`due/${shard}`, 0.5 * units);
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
    writes.add(`tasks/item/${task.id}`, units, now);
    writes.add(`tasks/by-account/${task.account}`, units, now);
    if (index > 0) writes.add(shardName(task.id), index, now);
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
