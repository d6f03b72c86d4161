import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { anUpstream } from '../support/builders/upstream.ts';
import { ONLY_NAME } from '../support/in-memory/upstreams.ts';
import { mostWithin } from '../support/most-within.ts';
import type { SimulationOptions } from './options.ts';
import type { Simulation } from './run.ts';

/** The upstreams with limits; empty if there are none, as the service then needs no shared state. */
export const limitedUpstreams = ({
  submitsPerMinute,
  videosAtOnce,
}: SimulationOptions): readonly Upstream[] => {
  if (submitsPerMinute === undefined && videosAtOnce === undefined) return [];
  return [anUpstream(ONLY_NAME, { submitsPerMinute, videosAtOnce })];
};

const MINUTE = 60_000;

/** How tasks came to an upstream with limits. */
export const measureLimits = ({ upstream, queue, tasks, options, measured }: Simulation) => {
  const { arrivals } = upstream;
  const count = Math.max(1, tasks.count);
  const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)];
  // The first ones find the whole minute free.
  const paced = arrivals.length - (options.submitsPerMinute ?? 0);
  return {
    mostInAMinute: mostWithin(arrivals, MINUTE),
    perMinute: (paced * MINUTE) / Math.max(1, last - first),
    messagesPerTask: (queue.counts.sent - queue.counts.checks) / count,
    runsPerTask: ((measured.billed.get('video-worker')?.invocations ?? 0) - queue.counts.checks) / count,
  };
};
