import { dueOf, newDelivery } from '../domain/webhook-delivery.ts';
import type { WebhookMessage } from '../domain/webhook-ports.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { Deliverer } from './deliverer.ts';
import { tryDelivery } from './try-delivery.ts';

/** A delivery for each endpoint that asked for the event; however often the event comes, each exists once. */
const tellEvent = async (
  { endpoints, deliveries, queue, logger, now }: Deliverer,
  event: WebhookEvent,
): Promise<void> => {
  const asked = (await endpoints.list(event.account)).filter(
    ({ disabled, eventTypes }) => disabled === undefined && eventTypes.includes(event.type),
  );
  if (asked.length === 0) return;
  const made = asked.map(({ id }) => newDelivery(id, event, now()));
  await Promise.all(made.map((delivery) => deliveries.add(delivery)));
  const due = made.map(dueOf);
  const refused = await queue.sendAll(due.map((delivery) => ({ kind: 'delivery', delivery })));
  // They are written down as due: the sweeper sends them.
  for (const message of refused)
    if (message.kind === 'delivery')
      logger.error('delivery not queued', undefined, { deliveryId: message.delivery.id });
};

/** Handles one message of the webhook queue. */
export const deliverWebhooks = (deliverer: Deliverer, message: WebhookMessage): Promise<void> =>
  message.kind === 'event' ? tellEvent(deliverer, message.event) : tryDelivery(deliverer, message.delivery);
