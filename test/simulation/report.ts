import { estimateCost, sumGigabyteSeconds } from './cost.ts';
import { countLosses, hottestKeys, measureAmplification } from './goals.ts';
import { LIMITS } from './latencies.ts';
import { measureLimits } from './limits.ts';
import type { Distribution, UseMeter } from './meters.ts';
import type { Simulation } from './run.ts';

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });

const time = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 600_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${(milliseconds / 60_000).toFixed(0)} min`;
};

const percentiles = (distribution: Distribution): string =>
  [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${time(distribution.percentile(share))}`).join(', ');

const formatCounts = (counts: Iterable<readonly [string, number]>): string =>
  Array.from(counts, ([name, count]) => `${number(count)} ${name}`).join(', ');

/** `chargedTwice` is `charged twice`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const title = ({ options }: Simulation): string => {
  const { tasks, hours, generation, callsAMinute, workers, accounts } = options;
  const limit = Number.isFinite(callsAMinute)
    ? `${number(callsAMinute)} upstream calls a minute`
    : 'no upstream limit';
  return `${number(tasks / hours)} tasks an hour for ${time(hours * 3_600_000)} of ${accounts} accounts, generation ${time(generation)}, ${limit}, ${workers} workers`;
};

/** How near each part came to its limit, the nearest first. */
const measureUses = (simulation: Simulation) => {
  const { options, upstream, busyWhileLoaded, writes, reads, measured } = simulation;
  const { submits, checks } = upstream.counts;
  const account = writes.hottest('tasks/by-account/');
  const shard = writes.hottest('due/');
  const minutes = Math.max(options.hours * 60, measured.lastEnd / 60_000);
  const calls = (submits + checks) / minutes;
  const sweep = measured.sweeps.percentile(1) / 1000;
  const { partitionWriteUnits, partitionReadUnits, sweeperSeconds } = LIMITS;
  const [accountKey, shardKey] = [account, shard].map(({ name }) => name.split('/').at(-1));
  const units = 'write units a second of index';
  /** The last is the setting that raises the limit. */
  const uses = [
    ['upstream calls a minute that were asked for', calls, options.callsAMinute, "the upstream's quota"],
    ['workers busy on average', busyWhileLoaded, options.workers, 'workerConcurrency'],
    [
      `${units} by-account, key ${accountKey}`,
      account.peak,
      partitionWriteUnits,
      'more accounts; a sharded index',
    ],
    [`${units} due, key ${shardKey}`, shard.peak, partitionWriteUnits, 'more shards of the index'],
    [
      'read units a second of one key of index due',
      reads.hottest('due/').peak,
      partitionReadUnits,
      'more shards of the index',
    ],
    ['seconds of the longest sweep', sweep, sweeperSeconds, 'the parallelism of the sweeper'],
  ] as const;
  return uses.toSorted(([, one, least], [, other, most]) => other / most - one / least);
};

const afterOutage = ({ outage, backlog, options }: Simulation): readonly (readonly [string, string])[] => {
  if (options.outage === 0) return [];
  const gone = backlog.goneAfter(outage);
  const text = gone === undefined ? 'never' : `gone ${time(gone)} after the upstream came back`;
  return [
    [
      'outage',
      `${time(options.outage)} in the middle; backlog of up to ${number(backlog.largest)} tasks, ${text}`,
    ],
  ];
};

const atLimits = (simulation: Simulation): readonly (readonly [string, string])[] => {
  const { submitsPerMinute, videosAtOnce } = simulation.options;
  if (submitsPerMinute === undefined && videosAtOnce === undefined) return [];
  const { mostInAMinute, perMinute, messagesPerTask, runsPerTask } = measureLimits(simulation);
  const average = (use: UseMeter): string => (use.average ?? 0).toFixed(1);
  return [
    [
      'limits',
      `${perMinute.toFixed(2)} submits a minute, ${mostInAMinute} at most; ${average(simulation.places)} places taken and ${average(simulation.generating)} generations under way while tasks wait; ${messagesPerTask.toFixed(2)} messages and ${runsPerTask.toFixed(2)} runs a task without checks`,
    ],
  ];
};

const formatUse = (busy: number | undefined): string =>
  busy === undefined ? '' : `${busy.toFixed(1)} while tasks wait, `;

const rows = (simulation: Simulation): readonly (readonly [string, string])[] => {
  const { measured, upstream, queue, writes, reads, busyWhileLoaded, workerUse, options, backlog } =
    simulation;
  const { submits, checks, refused, failed, busiestMinute } = upstream.counts;
  const cost = estimateCost(simulation);
  const calls = submits + checks;
  const { messagesPerTask, heldPerTask, writeUnitsPerTask } = measureAmplification(simulation);
  return [
    ['ended', `${formatCounts(measured.outcomes)}; the last ${time(measured.lastEnd)} after the start`],
    [
      'refused',
      `${number(measured.refused)} creates${measured.refused === 0 ? '' : `: ${formatCounts(measured.refusals)}`}`,
    ],
    [
      'must be 0',
      formatCounts(Object.entries(countLosses(simulation)).map(([name, count]) => [inWords(name), count])),
    ],
    ...afterOutage(simulation),
    ...atLimits(simulation),
    ['created → submitted', percentiles(measured.untilSubmitted)],
    ['done → completed', percentiles(measured.doneToCompleted)],
    [
      'wait for a worker',
      `${percentiles(queue.waits)}; at most ${number(queue.counts.longestQueue)} messages`,
    ],
    [
      'workers',
      `${busyWhileLoaded.toFixed(1)} busy on average, ${formatUse(workerUse.average)}${queue.counts.peakWorkers} at most, ${options.workers} allowed`,
    ],
    ['tasks under way', `${number(backlog.largest)} at most`],
    [
      'upstream',
      `${number(submits)} submits, ${number(checks)} checks; 429 for ${number(refused)} (${((100 * refused) / calls).toFixed(1)} %), 503 for ${number(failed)}; ${number(busiestMinute)} taken in the busiest minute`,
    ],
    [
      'DynamoDB tasks',
      `${number(writes.total('tasks'))} write units, ${number(writes.peak('tasks'))} a second at most; ${number(reads.total('tasks'))} read units, ${number(reads.peak('tasks'))} a second at most`,
    ],
    [
      'DynamoDB charges',
      `${number(writes.total('charges'))} write units, ${number(writes.peak('charges'))} a second at most`,
    ],
    [
      'hottest keys',
      `${formatCounts(hottestKeys(simulation).map(({ name, peak }) => [name, peak]))}; write units a second, of 1,000`,
    ],
    [
      'messages',
      `${number(queue.counts.sent)} sent; ${number(queue.counts.resent)} of them by the sweeper, ${number(queue.counts.lost)} lost, so ${messagesPerTask.toFixed(2)} per task; at most ${number(queue.counts.mostHeld)} at once, ${heldPerTask.toFixed(2)} per task under way`,
    ],
    ['write units a task', writeUnitsPerTask.toFixed(1)],
    ['sweeper', `longest run ${time(measured.sweeps.percentile(1))}, ${percentiles(measured.sweeps)}`],
    [
      'Lambda',
      `${number(sumGigabyteSeconds(simulation))} GB-seconds; ${formatCounts(Array.from(measured.billed, ([name, { invocations }]) => [name, invocations] as const))}`,
    ],
    [
      'cost an hour',
      `$${cost.service.toFixed(2)} (${cost.largest}); clients that poll $${cost.clients.toFixed(2)}`,
    ],
  ];
};

/** The figures of one run, a line each, and what is nearest to its limit. */
export const report = (simulation: Simulation): readonly string[] => [
  title(simulation),
  ...rows(simulation).map(([name, text]) => `  ${name.padEnd(20)} ${text}`),
  '  nearest to its limit',
  ...measureUses(simulation)
    .slice(0, 4)
    .map(
      ([what, used, limit, movedBy]) =>
        `    ${((100 * used) / limit).toFixed(0).padStart(5)} %  ${what}: ${number(used)} of ${number(limit)}; moved by ${movedBy}`,
    ),
];
