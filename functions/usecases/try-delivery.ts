import { shareDelay } from '../domain/schedule.ts';
import {
  claimTry,
  delivered,
  dueOf,
  givenUp,
  healthAfter,
  isAccepted,
  isGone,
  TRY_LEASE,
  tryFailed,
} from '../domain/webhook-delivery.ts';
import type { DueDelivery } from '../domain/webhook-ports.ts';
import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint } from '../domain/webhooks.ts';
import type { Deliverer } from './deliverer.ts';
import { withinShare } from './within-share.ts';

const logFields = ({ id, endpointId, event, attempts }: WebhookDelivery) => ({
  deliveryId: id,
  endpointId,
  account: event.account,
  eventId: event.id,
  attempts,
});

/** Makes the one try that the message asks for; a message for any other try is out of date and does nothing. */
export const tryDelivery = async (deliverer: Deliverer, due: DueDelivery): Promise<void> => {
  const { deliveries, endpoints, logger, now } = deliverer;
  const delivery = await deliveries.find(due.endpointId, due.id);
  if (delivery?.status !== 'pending' || delivery.attempts !== due.attempts) {
    logger.info('stale delivery dropped', { deliveryId: due.id, endpointId: due.endpointId });
    return;
  }
  // A claim is broken by time alone; the sweeper sends the next message.
  if (delivery.tryingUntil !== undefined && now() < delivery.tryingUntil) return;
  const endpoint = await endpoints.find(due.account, due.endpointId);
  if (endpoint === undefined || endpoint.disabled !== undefined) return giveUp(deliverer, delivery);
  await withinShare(deliverer, { owner: delivery.endpointId, id: delivery.id }, TRY_LEASE, {
    work: () => claimAndTry(deliverer, endpoint, delivery),
    postpone: () => tryLater(deliverer, delivery),
  });
};

/** Nobody is there to be told any more. */
const giveUp = async ({ deliveries, logger }: Deliverer, delivery: WebhookDelivery): Promise<void> => {
  if (await deliveries.save(givenUp(delivery), delivery.attempts))
    logger.info('webhook given up', logFields(delivery));
};

/** The endpoint holds its share of the workers with tries that it has not answered yet. */
const tryLater = async (deliverer: Deliverer, delivery: WebhookDelivery): Promise<void> => {
  const { deliveries, now, random } = deliverer;
  const delay = shareDelay(now() - delivery.createdAt, random());
  if (await deliveries.postpone(dueOf(delivery), now() + delay)) await sendTry(deliverer, delivery, delay);
};

const claimAndTry = async (
  deliverer: Deliverer,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
): Promise<void> => {
  const { deliveries, sender, logger, now, random } = deliverer;
  const claimed = claimTry(delivery, now());
  if (!(await deliveries.save(claimed, delivery.attempts))) {
    logger.info('stale delivery dropped', { deliveryId: delivery.id, endpointId: delivery.endpointId });
    return;
  }
  const attempt = await sender.send(endpoint, delivery.event);
  const outcome = outcomeOf(claimed, attempt, now(), random());
  await saveOutcome(deliverer, claimed, attempt, outcome);
  await noteHealth(deliverer, endpoint, attempt, outcome);
};

const saveOutcome = async (
  deliverer: Deliverer,
  claimed: WebhookDelivery,
  attempt: DeliveryAttempt,
  next: WebhookDelivery,
): Promise<void> => {
  const { deliveries, logger, now } = deliverer;
  const fields = logFields(claimed);
  const { at, durationMs, statusCode, error } = attempt;
  if (next.status === 'delivered')
    logger.info('webhook delivered', {
      ...fields,
      delaySeconds: (at + durationMs - claimed.event.createdAt) / 1000,
    });
  else logger.info('webhook try failed', { ...fields, statusCode, reason: error, durationMs });
  if (next.status === 'failed') logger.info('webhook given up', fields);
  const won = await deliveries.save(next, claimed.attempts);
  if (won && next.nextAt !== undefined) await sendTry(deliverer, next, next.nextAt - now());
};

const outcomeOf = (
  claimed: WebhookDelivery,
  attempt: DeliveryAttempt,
  now: number,
  random: number,
): WebhookDelivery => {
  if (isAccepted(attempt)) return delivered(claimed, attempt);
  return isGone(attempt) ? givenUp(claimed, attempt) : tryFailed(claimed, attempt, now, random);
};

/** Written only when it changes: what goes well costs no write. */
const noteHealth = async (
  { endpoints, logger, now }: Deliverer,
  endpoint: WebhookEndpoint,
  attempt: DeliveryAttempt,
  outcome: WebhookDelivery,
): Promise<void> => {
  const { account, id, updatedAt } = endpoint;
  const health = healthAfter(endpoint, attempt, outcome, now());
  if (health.failingSince === endpoint.failingSince && health.disabled === endpoint.disabled) return;
  await endpoints.noteHealth({ account, id, updatedAt, ...health });
  if (health.disabled !== undefined)
    logger.info('webhook endpoint disabled', { endpointId: id, account, reason: health.disabled.reason });
};

const sendTry = async (
  { queue, logger }: Deliverer,
  delivery: WebhookDelivery,
  delayMs: number,
): Promise<void> => {
  try {
    await queue.send({ kind: 'delivery', delivery: dueOf(delivery) }, Math.max(0, delayMs));
  } catch (error) {
    // What is written is what counts: the sweeper sends what is overdue.
    logger.error('delivery not queued', error, { deliveryId: delivery.id });
  }
};
