import { DUE_INDEX, lineShard, toItem } from '../../functions/videos/adapters/task-item.ts';
import {
  type DueTask,
  type DueTasks,
  isTerminal,
  type Task,
  type TaskRepository,
} from '../../functions/videos/domain/task.ts';
import { database } from '../../lib/local/emulators/dynamodb/dynalite.ts';
import { type Item, MemoryTasks, tasksPort } from '../support/in-memory/tasks.ts';
import type { MemoryPool } from '../support/in-memory/upstreams.ts';
import type { Call } from './latencies.ts';
import type { CapacityMeter } from './meters.ts';

const DUE_ENTRY_BYTES = 120;
const [WRITE_UNIT, READ_UNIT, PAGE] = [1024, 4096, 1024 * 1024] as const;

type IndexKey = { readonly shard: string; readonly dueAt: number };

const dueKey = ({ task, dueAt, isCalled }: Item): IndexKey | undefined => {
  if (dueAt === undefined) return undefined;
  const isInLine = task.work?.kind === 'wait' && !isCalled;
  return { shard: isInLine ? lineShard(task.request.model) : DUE_INDEX.shardFor(task.id), dueAt };
};

/** The shards that take a write unit: a new key is a removal and a put. */
const writtenShards = (before: IndexKey | undefined, after: IndexKey | undefined): readonly string[] => {
  const isSame = before?.shard === after?.shard && before?.dueAt === after?.dueAt;
  return [...(isSame ? [] : [before]), after].flatMap((key) => (key === undefined ? [] : [key.shard]));
};

type Options = {
  readonly call: Call;
  readonly now: () => number;
  readonly writes: CapacityMeter;
  readonly reads: CapacityMeter;
  readonly onEnd: (task: Task) => void;
  readonly pool: MemoryPool;
};

/** The task table with the latency of its calls and the capacity that it and its indexes consume. */
export const simulatedTasks = ({ call, now, writes, reads, onEnd, pool }: Options) => {
  /** Each state of a task is an object that never changes, and is measured once. */
  const sizes = new WeakMap<Task, number>();
  const itemBytes = (task: Task): number => {
    const known = sizes.get(task);
    if (known !== undefined) return known;
    const bytes = database.itemSize(toItem(task));
    sizes.set(task, bytes);
    return bytes;
  };

  const table = new MemoryTasks({
    keepsHistory: false,
    pool,
    onWrite: (item, before) => {
      const { task } = item;
      const units = Math.ceil(itemBytes(task) / WRITE_UNIT);
      const shards = writtenShards(before && dueKey(before), dueKey(item));
      writes.add('tasks', 2 * units + shards.length, now());
      writes.add(`tasks/item/${task.id}`, units, now());
      writes.add(`tasks/by-account/${task.account}`, units, now());
      for (const shard of shards) writes.add(`due/${shard}`, 1, now());
      if (isTerminal(task) && before !== undefined && !isTerminal(before.task)) onEnd(task);
    },
  });

  /** A condition that does not hold consumes a unit as well. */
  const write = <T>(attempt: () => T, refused: T): Promise<T> =>
    call('dynamoWrite', () => {
      const result = attempt();
      if (result === refused) writes.add('tasks', 1, now());
      return result;
    });

  /** Indexes are read with eventual consistency, at half the price. */
  const readShard = (shard: string, found: DueTask[]): DueTask[] => {
    const units = 0.5 * Math.ceil(Math.max(1, found.length * DUE_ENTRY_BYTES) / READ_UNIT);
    for (const name of ['tasks', `due/${shard}`]) reads.add(name, units, now());
    return found;
  };

  const port: TaskRepository & DueTasks = {
    ...tasksPort(table),
    create: (task) => write(() => table.create(task), false),
    advance: (next, returned) => write(() => table.advance(next, returned), false),
    advanceWithPlace: (next, place) =>
      write<boolean | 'full'>(() => table.advanceWithPlace(next, place), 'full'),
    postpone: (task, dueAt) => write(() => table.postpone(task, dueAt), undefined),
    find: (id) =>
      call('dynamoRead', () => {
        const task = table.find(id);
        reads.add('tasks', task === undefined ? 1 : Math.ceil(itemBytes(task) / READ_UNIT), now());
        return task;
      }),
    due: async function* (before) {
      const overdue = Map.groupBy(table.due(before), ({ id }) => DUE_INDEX.shardFor(id));
      const shards = await Promise.all(
        DUE_INDEX.shards.map((shard) =>
          call('dynamoQuery', () => readShard(shard, overdue.get(shard) ?? [])),
        ),
      );
      // One of each shard at a time, as the adapter does.
      const longest = Math.max(...shards.map(({ length }) => length));
      for (let place = 0; place < longest; place += 1) {
        if (place > 0 && place % (PAGE / DUE_ENTRY_BYTES) < 1) await call('dynamoQuery', () => undefined);
        for (const found of shards) {
          const one = found[place];
          if (one !== undefined) yield one;
        }
      }
    },
  };
  return { table, port };
};
