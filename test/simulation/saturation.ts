import { LIMITS } from './latencies.ts';
import type { Simulation } from './run.ts';

type Use = {
  readonly what: string;
  readonly used: number;
  readonly limit: number;
  /** The setting that raises this limit. */
  readonly movedBy: string;
};

const MINUTES_AN_HOUR = 60;

/** How near each part came to its limit, the nearest first. */
export const measureUses = ({
  options,
  upstream,
  busyWhileLoaded,
  writes,
  reads,
  measured,
}: Simulation): Use[] => {
  const { submits, checks } = upstream.counts;
  const account = writes.hottest('tasks/by-account/');
  const shard = writes.hottest('due/');
  const uses = [
    {
      what: 'upstream calls a minute that were asked for',
      used: (submits + checks) / Math.max(options.hours * MINUTES_AN_HOUR, measured.lastEnd / 60_000),
      limit: options.callsAMinute,
      movedBy: "the upstream's quota",
    },
    {
      what: 'workers busy on average',
      used: busyWhileLoaded,
      limit: options.workers,
      movedBy: 'workerConcurrency',
    },
    {
      what: `write units a second of index by-account, key ${account.name.split('/').at(-1)}`,
      used: account.peak,
      limit: LIMITS.partitionWriteUnits,
      movedBy: 'more accounts; a sharded index',
    },
    {
      what: `write units a second of index due, key ${shard.name.split('/').at(-1)}`,
      used: shard.peak,
      limit: LIMITS.partitionWriteUnits,
      movedBy: 'more shards of the index',
    },
    {
      what: 'read units a second of one key of index due',
      used: reads.hottest('due/').peak,
      limit: LIMITS.partitionReadUnits,
      movedBy: 'more shards of the index',
    },
    {
      what: 'seconds of the longest sweep',
      used: measured.sweeps.percentile(1) / 1000,
      limit: LIMITS.sweeperSeconds,
      movedBy: 'the parallelism of the sweeper',
    },
  ];
  return uses.toSorted((one, other) => other.used / other.limit - one.used / one.limit);
};
