import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { anUpstream } from '../support/builders/upstream.ts';
import { ONLY_NAME } from '../support/in-memory/upstreams.ts';
import { mostWithin } from '../support/most-within.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
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

const INTERVAL = 1000;

type Places = {
  readonly isWaiting: () => boolean;
  readonly taken: () => number;
  readonly generating: () => number;
};

/** How many places are in use while tasks wait for one, by our count and by the upstream's. */
export class PlaceUse {
  #samples = 0;
  #taken = 0;
  #generating = 0;
  mostTaken = 0;

  constructor(clock: VirtualClock, { isWaiting, taken, generating }: Places) {
    const look = (): void => {
      this.mostTaken = Math.max(this.mostTaken, taken());
      if (isWaiting()) {
        this.#samples += 1;
        this.#taken += taken();
        this.#generating += generating();
      }
      clock.after(INTERVAL, look);
    };
    clock.after(0, look);
  }

  get averageTaken(): number {
    return this.#taken / Math.max(1, this.#samples);
  }

  get averageGenerating(): number {
    return this.#generating / Math.max(1, this.#samples);
  }
}

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
