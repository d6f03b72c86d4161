import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { NO_LOAD, type WorkerLoad, type WorkerLoads } from '../domain/worker-capacity.ts';

/** The load of all workers, as far as a worker process knows it. */
export type LoadWatch = {
  /** The load as it was at most this many milliseconds ago. */
  current(maxAgeMs: number): Promise<WorkerLoad>;
  /** Lets new tasks of all workers join the line until the given time. */
  hold(until: number): Promise<void>;
};

type Dependencies = { readonly loads: WorkerLoads; readonly logger: Logger; readonly now: Clock };

export const loadWatch = ({ loads, logger, now }: Dependencies): LoadWatch => {
  let known = NO_LOAD;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    current: async (maxAgeMs) => {
      if (now() - readAt < maxAgeMs) return known;
      readAt = now();
      try {
        known = await loads.read();
      } catch (error) {
        // The task continues with the load that is known.
        logger.error('worker load not read', error, {});
      }
      return known;
    },
    hold: async (until) => {
      await loads.hold(until);
      known = { ...known, heldUntil: until };
    },
  };
};
