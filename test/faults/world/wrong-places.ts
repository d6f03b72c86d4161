import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { mostWithin } from '../../support/most-within.ts';
import type { Stores } from './ports.ts';

const MINUTE = 60_000;

/** The end of a task returns its places, also that of a submit without an answer. */
function* keptPlaces({ pool }: Stores, name: string): Generator<string> {
  for (const taskId of pool.entry(name).places.keys())
    yield `the place of ${taskId} at ${name} is not returned`;
}

function* exceededLimits(
  stores: Stores,
  { name, submitsPerMinute, videosAtOnce }: Upstream,
): Generator<string> {
  const upstream = stores.upstreams.get(name);
  if (upstream === undefined) return;
  const submits = mostWithin(upstream.arrivals, MINUTE);
  if (submits > (submitsPerMinute ?? Number.POSITIVE_INFINITY))
    yield `${submits} submits to ${name} within a minute`;
  // A repeated submit uses the place of the one that was lost.
  const lost = [...stores.gate.lostAnswers.values()].reduce((sum, count) => sum + count, 0);
  if (upstream.mostAtOnce > (videosAtOnce ?? Number.POSITIVE_INFINITY) + lost)
    yield `${upstream.mostAtOnce} videos at once at ${name}, ${lost} answers lost`;
}

/** The limits of upstreams hold, and their places are free when nobody needs them. */
export function* wrongPlaces(stores: Stores): Generator<string> {
  for (const name of stores.upstreams.keys()) yield* keptPlaces(stores, name);
  for (const upstream of stores.firstSettings) yield* exceededLimits(stores, upstream);
}
