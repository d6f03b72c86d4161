import type { BudgetNotice } from '../../billing/domain/budget.ts';
import type { Reservation } from '../../billing/domain/limits.ts';
import type { AccountRepository, DueReservations } from '../../billing/domain/ports.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import type { TaskRepository } from '../../videos/domain/task.ts';
import { toBudgetEvent } from '../../webhooks/domain/webhook-delivery.ts';
import type { WebhookQueue } from '../../webhooks/domain/webhook-stores.ts';

type Dependencies = {
  readonly accounts: DueReservations & Pick<AccountRepository, 'release'>;
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly webhooks: Pick<WebhookQueue, 'send'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run has to stop; the next run continues. */
  readonly stopAt: number;
};

const AT_ONCE = 8;
/** A task's reservation ends with the task, so later checks are only a safety net. */
const NEXT_CHECK = 60 * 60_000;

/** Images have no task: recording one ends its reservation, so an old reservation for an image is an orphan. */
const belongsToTask = async ({ tasks }: Dependencies, { id, kind, taskId }: Reservation): Promise<boolean> =>
  kind === 'videos' && (await tasks.find(taskId))?.reservation?.id === id;

/** True if the reservation was an orphan. */
const releaseIfOrphan = async (dependencies: Dependencies, reservation: Reservation): Promise<boolean> => {
  const { accounts, now } = dependencies;
  if (!(await belongsToTask(dependencies, reservation))) return accounts.release(reservation, reservation.at);
  await accounts.postpone(reservation, now() + NEXT_CHECK);
  return false;
};

/** The event is sent before the notice is removed; if it is sent twice, its id leads to the same deliveries. */
const sendNotice = async (
  { accounts, webhooks, logger }: Dependencies,
  notice: BudgetNotice,
): Promise<void> => {
  const { account, month, threshold } = notice;
  try {
    await webhooks.send({ kind: 'event', event: toBudgetEvent(notice) }, 0);
    await accounts.removeNotice(notice);
    logger.info('budget event sent', { account, month, threshold });
  } catch (error) {
    logger.error('budget event not sent', error, { account, month, threshold });
  }
};

/** Releases reservations of requests that ended before they became tasks or images, and sends events of budgets. */
export const sweepReservations = async (dependencies: Dependencies): Promise<void> => {
  const { accounts, logger, now, stopAt } = dependencies;
  let released = 0;
  try {
    await inParallel(accounts.due(now()), AT_ONCE, async (due) => {
      if (now() >= stopAt) return;
      if (due.kind === 'budget') return sendNotice(dependencies, due);
      try {
        if (await releaseIfOrphan(dependencies, due)) released += 1;
      } catch (error) {
        logger.error('reservation not released', error, {
          account: due.account,
          reservation: due.id,
        });
      }
    });
  } finally {
    if (released > 0) logger.info('orphaned reservations released', { released });
  }
};
