import { isTerminal } from '../../functions/videos/domain/task.ts';
import { LIMITS } from './latencies.ts';
import type { Simulation } from './run.ts';

/** Counts that must be 0 under any load. */
export const countLosses = ({ tasks, charges, upstream, options, measured }: Simulation) => {
  const all = tasks.all();
  const charged = new Map<string, number>();
  for (const taskId of charges.values()) charged.set(taskId, (charged.get(taskId) ?? 0) + 1);
  const completed = all.filter(({ status }) => status === 'completed');
  const submitted = all.filter(({ submittedAt }) => submittedAt !== undefined);
  return {
    missing: options.tasks + options.later.tasks - measured.refused - all.length,
    unfinished: all.filter((task) => !isTerminal(task)).length,
    uncharged: completed.filter(({ id }) => !charged.has(id)).length,
    chargedTwice: Array.from(charged.values()).filter((records) => records > 1).length,
    chargedInVain: charged.size - completed.filter(({ id }) => charged.has(id)).length,
    /** Generations that the upstream began and no task knows of. */
    generatedInVain: upstream.begun - submitted.length,
    /** Generations that were paid for and whose task failed all the same. */
    paidAndFailed: submitted.length - completed.length,
  };
};

/** The counts of a run in which every task ended well. */
export const NOTHING_LOST = {
  missing: 0,
  unfinished: 0,
  uncharged: 0,
  chargedTwice: 0,
  chargedInVain: 0,
  generatedInVain: 0,
  paidAndFailed: 0,
} as const;

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
const overusedKeys = (simulation: Simulation): readonly string[] =>
  hottestKeys(simulation)
    .filter(({ peak }) => peak > LIMITS.partitionWriteUnits)
    .map(({ name, key, peak }) => `${name}, key ${key}: ${peak} write units a second`);

const MINUTE = 60_000;

/** Limits for a service with more tasks than its workers can do. */
const GOALS = {
  doneToCompleted: 2 * MINUTE,
  timedOutShare: 0.01,
  messagesPerTask: 1.5,
  busyShare: 0.9,
} as const;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The goals that a run under overload has missed, a sentence each. */
export const missedGoals = (simulation: Simulation): readonly string[] => {
  const { measured, options, workerUse, tasks } = simulation;
  const p99 = measured.doneToCompleted.percentile(0.99);
  const timedOut = (measured.outcomes.get('queue_timeout') ?? 0) / Math.max(1, tasks.count);
  const { messagesPerTask, heldPerTask } = measureAmplification(simulation);
  const busy = (workerUse.average ?? options.workers) / options.workers;
  const lost = Object.entries(countLosses(simulation)).filter(([, count]) => count > 0);
  return [
    ...lost.map(([name, count]) => `${name} is ${count} instead of 0`),
    ...(p99 > GOALS.doneToCompleted ? [`done → completed has a p99 of ${Math.round(p99 / 1000)} s`] : []),
    ...(timedOut > GOALS.timedOutShare ? [`${percent(timedOut)} of the accepted tasks time out`] : []),
    ...overusedKeys(simulation),
    ...[messagesPerTask, heldPerTask]
      .filter((messages) => messages > GOALS.messagesPerTask)
      .map((messages) => `there are ${messages.toFixed(2)} messages per task`),
    ...(busy < GOALS.busyShare ? [`only ${percent(busy)} of the workers are busy while tasks wait`] : []),
  ];
};
