import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import type { TaskRepository } from '../../videos/domain/ports.ts';
import { ORPHAN_AGE, type Reservation } from '../domain/limits.ts';
import type { AccountRepository, DueReservations } from '../domain/ports.ts';

type Dependencies = {
  readonly accounts: DueReservations & Pick<AccountRepository, 'release'>;
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run has to end; what it leaves is the next one's. */
  readonly stopAt: number;
};

const AT_ONCE = 8;
/** The end of a task ends its reservation: a second look is for what nobody foresaw. */
const NEXT_LOOK = 60 * 60_000;

/** Images have no task, and a recorded one has no reservation: what is left when its function is dead is owed to nobody. */
const belongsToTask = async ({ tasks }: Dependencies, { id, kind, taskId }: Reservation): Promise<boolean> =>
  kind === 'videos' && (await tasks.find(taskId))?.reservation?.id === id;

/** True when the reservation was an orphan. */
const look = async (dependencies: Dependencies, reservation: Reservation): Promise<boolean> => {
  const { accounts, now } = dependencies;
  if (now() - reservation.at < ORPHAN_AGE[reservation.kind]) return false;
  if (!(await belongsToTask(dependencies, reservation))) return accounts.release(reservation, reservation.at);
  await accounts.postpone(reservation, now() + NEXT_LOOK);
  return false;
};

/** Takes back what was reserved for requests that broke off before they became tasks or images. */
export const releaseOrphans = async (dependencies: Dependencies): Promise<void> => {
  const { accounts, logger, now, stopAt } = dependencies;
  let released = 0;
  try {
    await inParallel(accounts.due(now()), AT_ONCE, async (reservation) => {
      if (now() >= stopAt) return;
      try {
        if (await look(dependencies, reservation)) released += 1;
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
