import { LIMITS } from './latencies.ts';
import type { Simulation } from './run.ts';

/** Partitions by what the meter calls them: the items of a table, or the keys of an index. */
const KEYS = [
  { name: 'index due', prefix: 'due/' },
  { name: 'index by-account', prefix: 'tasks/by-account/' },
  { name: 'items of tasks', prefix: 'tasks/item/' },
  { name: 'index by-account of charges', prefix: 'charges/by-account/' },
  { name: 'items of usage', prefix: 'usage/item/' },
  { name: 'items of accounts', prefix: 'accounts/item/' },
] as const;

/** How much more the service does for a task than it must. Nothing here may grow with the load. */
export const measureAmplification = ({ tasks, queue, backlog, writes }: Simulation) => {
  const count = Math.max(1, tasks.count);
  return {
    /** One, and those that the sweeper sends again. */
    messagesPerTask: 1 + queue.counts.resent / count,
    /** At the fullest moment of the queue. */
    heldPerTask: queue.counts.mostHeld / Math.max(1, backlog.largest),
    writeUnitsPerTask: writes.total('tasks') / count,
  };
};

/** The highest write units a second of one key, for every table and index. */
export const hottestKeys = ({ writes }: Simulation) =>
  KEYS.map(({ name, prefix }) => {
    const { name: key, peak } = writes.hottest(prefix);
    return { name, key: key.slice(prefix.length), peak };
  });

/** The keys that take more than DynamoDB allows. */
export const overusedKeys = (simulation: Simulation): readonly string[] =>
  hottestKeys(simulation)
    .filter(({ peak }) => peak > LIMITS.partitionWriteUnits)
    .map(({ name, key, peak }) => `${name}, key ${key}: ${peak} write units a second`);
