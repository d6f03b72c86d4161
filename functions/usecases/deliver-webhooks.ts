import { dueOf, newDelivery } from '../domain/webhook-delivery.ts';
import type { WebhookMessage } from '../domain/webhook-ports.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { Deliverer } from './deliverer.ts';
import { tryDelivery } from './try-delivery.ts';

/** More endpoints of one account that were never tried are not expected to be quick: they could all be silent. */
const MOST_UNTRIED = 2;

/** A delivery for each endpoint that asked for the event; however often the event comes, each exists once. */
const tellEvent = async (
  { endpoints, deliveries, queue, logger, now }: Deliverer,
  event: WebhookEvent,
): Promise<void> => {
  const asked = (await endpoints.list(event.account)).filter(
    ({ disabled, eventTypes }) => disabled === undefined && eventTypes.includes(event.type),
  );
  if (asked.length === 0) return;
  const untried = asked.filter(({ respondsQuickly }) => respondsQuickly === undefined).length;
  const made = asked.map(({ id, respondsQuickly = untried <= MOST_UNTRIED }) => ({
    delivery: newDelivery(id, event, now()),
    isPrompt: respondsQuickly,
  }));
  await Promise.all(made.map(({ delivery }) => deliveries.add(delivery)));
  const refused = await queue.sendAll(
    made.map(({ delivery, isPrompt }) => ({ kind: 'delivery', delivery: dueOf(delivery), isPrompt })),
  );
  // They are written down as due: the sweeper sends them.
  for (const message of refused)
    if (message.kind === 'delivery')
      logger.error('delivery not queued', undefined, { deliveryId: message.delivery.id });
};

/** Handles one message of the webhook queue. */
export const deliverWebhooks = (deliverer: Deliverer, message: WebhookMessage): Promise<void> =>
  message.kind === 'event' ? tellEvent(deliverer, message.event) : tryDelivery(deliverer, message.delivery);
