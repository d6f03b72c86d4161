import type { Reservation } from '../domain/limits.ts';
import type { AccountRepository, Clock, Logger, ReservationList, TaskRepository } from '../domain/ports.ts';
import { inParallel } from './in-parallel.ts';

type Dependencies = {
  readonly accounts: ReservationList & Pick<AccountRepository, 'release'>;
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

const AT_ONCE = 8;
/** Whoever reserved is dead by then: a create has 28 seconds, an image 300. */
const ORPHAN_AGE = { videos: 2 * 60_000, images: 6 * 60_000 };

/** Images have no task, and a recorded one has no reservation: what is left when its function is dead is owed to nobody. */
const isOrphan = async ({ tasks, now }: Dependencies, reservation: Reservation): Promise<boolean> => {
  if (now() - reservation.at < ORPHAN_AGE[reservation.kind]) return false;
  if (reservation.kind === 'images') return true;
  return (await tasks.find(reservation.taskId))?.reservation?.id !== reservation.id;
};

/** Takes back what was reserved for requests that broke off before they became tasks or images. */
export const releaseOrphans = async (dependencies: Dependencies): Promise<void> => {
  const { accounts, logger, now, stopAt } = dependencies;
  let released = 0;
  try {
    await inParallel(accounts.reservations(), AT_ONCE, async (reservation) => {
      if (now() >= stopAt) return;
      try {
        if ((await isOrphan(dependencies, reservation)) && (await accounts.release(reservation)))
          released += 1;
      } catch (error) {
        logger.error('reservation not released', error, {
          account: reservation.account,
          reservation: reservation.id,
        });
      }
    });
  } finally {
    if (released > 0) logger.info('orphans released', { released });
  }
};
