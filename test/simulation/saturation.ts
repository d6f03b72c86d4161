import { LIMITS } from './latencies.ts';
import type { Simulation } from './run.ts';

const MINUTES_AN_HOUR = 60;

/** How near each part came to its limit, the nearest first. */
export const measureUses = (simulation: Simulation) => {
  const { options, upstream, busyWhileLoaded, writes, reads, measured } = simulation;
  const { submits, checks } = upstream.counts;
  const account = writes.hottest('tasks/by-account/');
  const shard = writes.hottest('due/');
  const minutes = Math.max(options.hours * MINUTES_AN_HOUR, measured.lastEnd / 60_000);
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
