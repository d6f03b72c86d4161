import { DomainError } from '../../platform/domain/errors.ts';
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

/** A message that fails is hidden for minutes; one that meets a throttled table comes again sooner. */
const OVERLOAD_PAUSE = 20_000;

/** Handles one message of the webhook queue. */
export const deliverWebhooks = async (deliverer: Deliverer, message: WebhookMessage): Promise<void> => {
  try {
    if (message.kind === 'event') await tellEvent(deliverer, message.event);
    else await tryDelivery(deliverer, message.delivery);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'overloaded') throw error;
    const { queue, logger, random } = deliverer;
    logger.info('webhook message put off', { kind: message.kind });
    await queue.send(message, OVERLOAD_PAUSE * (1 + random()));
  }
};
