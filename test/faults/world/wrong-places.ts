import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { GENERATION_DEADLINE, SUBMIT_CLAIM } from '../../../functions/videos/domain/schedule.ts';
import type { Task } from '../../../functions/videos/domain/task.ts';
import { mostWithin } from '../../support/most-within.ts';
import type { Stores } from './ports.ts';

const MINUTE = 60_000;

/** Only a submit without an answer keeps its place, until the video would have failed. */
function* keptPlaces({ pool, time }: Stores, name: string, tasks: readonly Task[]): Generator<string> {
  for (const [taskId, until] of pool.entry(name).places) {
    const task = tasks.find(({ id }) => id === taskId);
    const answered = task?.operation === undefined ? 0 : 1;
    if (task === undefined || task.openSubmits <= answered) yield `a place at ${name} is not returned`;
    if (until > time.now() + SUBMIT_CLAIM + GENERATION_DEADLINE) yield `a place at ${name} does not expire`;
  }
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
export function* wrongPlaces(stores: Stores, tasks: readonly Task[]): Generator<string> {
  for (const name of stores.upstreams.keys()) yield* keptPlaces(stores, name, tasks);
  for (const upstream of stores.firstSettings) yield* exceededLimits(stores, upstream);
}
