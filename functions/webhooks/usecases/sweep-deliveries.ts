import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { requeueOverdue } from '../../platform/domain/requeue-overdue.ts';
import type { DueDelivery, WebhookDeliveries, WebhookQueue } from '../domain/webhook-stores.ts';

type Dependencies = {
  readonly deliveries: Pick<WebhookDeliveries, 'due' | 'postpone'>;
  readonly webhooks: Pick<WebhookQueue, 'sendAll'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** An attempt that is later than this has lost its message. */
  readonly graceMs: number;
  /** When this run has to stop; the next run continues. */
  readonly stopAt: number;
};

/** The time that a message is given before another one is sent. */
const PAUSE_MILLISECONDS = 5 * 60_000;
/** Groups of ten deliveries. */
// Stryker disable next-line Number: the number decides only how fast a run is
const GROUPS_AT_ONCE = 8;

/** Sends messages for attempts that are due: those whose delay exceeded the queue's maximum, and those that got lost. */
export const sweepDeliveries = async (dependencies: Dependencies): Promise<void> => {
  const { deliveries, webhooks, logger, now, graceMs, stopAt } = dependencies;
  const swept = { requeued: 0, left: 0 };
  const notSwept = ({ id, endpointId }: DueDelivery, error: unknown): void =>
    logger.error('delivery not swept', error, { deliveryId: id, endpointId });
  const overdue = {
    items: deliveries.due(now() - graceMs),
    postpone: async (delivery: DueDelivery) =>
      (await deliveries.postpone(delivery, now() + PAUSE_MILLISECONDS)) ? delivery : undefined,
    sendAll: async (due: readonly DueDelivery[]) => {
      const refused = await webhooks.sendAll(due.map((delivery) => ({ kind: 'delivery', delivery })));
      return refused.flatMap((message) => (message.kind === 'delivery' ? [message.delivery] : []));
    },
    onPostponeError: notSwept,
    onSendError: notSwept,
    groupsAtOnce: GROUPS_AT_ONCE,
    now,
    stopAt,
  };
  try {
    await requeueOverdue(overdue, swept);
  } finally {
    if (swept.requeued + swept.left > 0) logger.info('deliveries swept', swept);
  }
};
