import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { NO_LOAD, type WorkerLoads } from '../domain/worker-capacity.ts';

type Dependencies = { readonly loads: WorkerLoads; readonly logger: Logger; readonly now: Clock };

/** The load of all workers, as far as a worker process knows it. */
export const loadWatch = ({ loads, logger, now }: Dependencies) => {
  let known = NO_LOAD;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    /** The load as it was at most this many milliseconds ago. */
    current: async (maxAgeMs: number) => {
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
    hold: async (until: number) => {
      await loads.hold(until);
      known = { ...known, heldUntil: until };
    },
  };
};

export type LoadWatch = ReturnType<typeof loadWatch>;
