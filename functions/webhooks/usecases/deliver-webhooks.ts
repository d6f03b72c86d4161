import { DomainError } from '../../platform/domain/errors.ts';
import { type SlowSteps, shareWhenSlow, withinShare } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import {
  claimTry,
  type DueDelivery,
  delivered,
  dueOf,
  givenUp,
  type Health,
  healthAfter,
  isAccepted,
  isGone,
  newDelivery,
  roomDelay,
  TRY_LEASE,
  tryBrokenOff,
  tryFailed,
  type WebhookDeliveries,
  type WebhookEndpoints,
  type WebhookMessage,
  type WebhookQueue,
  type WebhookSender,
} from '../domain/webhook-delivery.ts';
import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent } from '../domain/webhooks.ts';

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
  await (endpoint.respondsQuickly === true ? tryQuickly : tryInSlot)(deliverer, endpoint, delivery);
};

/** Slow tries share slots by account, then by endpoint. */
const slotFor = ({ account, id: part, failingSince }: WebhookEndpoint, { id }: WebhookDelivery) => ({
  owner: account,
  part,
  id,
  isFailing: failingSince !== undefined,
});

/** An endpoint that was slow, or that was never tried, needs a slot from the beginning. */
const tryInSlot = (
  deliverer: Deliverer,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
): Promise<void> =>
  withinShare(deliverer, slotFor(endpoint, delivery), TRY_LEASE, {
    work: () => claimAndTry(deliverer, endpoint, delivery),
    postpone: () => tryLater(deliverer, delivery),
  });

/** An endpoint that has been quick needs a slot only when it is slow this time; without one, the try breaks off. */
const tryQuickly = async (
  deliverer: Deliverer,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
): Promise<void> => {
  const slot = shareWhenSlow(deliverer, slotFor(endpoint, delivery), TRY_LEASE);
  try {
    await claimAndTry(deliverer, endpoint, delivery, slot.begin);
  } finally {
    await slot.end();
  }
};

/** Nobody is there to be told any more. */
const giveUp = async ({ deliveries, logger }: Deliverer, delivery: WebhookDelivery): Promise<void> => {
  if (await deliveries.save(givenUp(delivery), delivery.attempts))
    logger.info('webhook given up', logFields(delivery));
};

/** Puts off a try that has not begun; it uses up none. */
const tryLater = async (deliverer: Deliverer, delivery: WebhookDelivery): Promise<void> => {
  const { deliveries, now, random } = deliverer;
  const delay = roomDelay(now() - delivery.createdAt, random());
  if (await deliveries.postpone(dueOf(delivery), now() + delay)) await sendTry(deliverer, delivery, delay);
};

const claimAndTry = async (
  deliverer: Deliverer,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  takeSlot?: () => Promise<boolean>,
): Promise<void> => {
  const { deliveries, sender, logger, now, random } = deliverer;
  const claimed = claimTry(delivery, now());
  if (!(await deliveries.save(claimed, delivery.attempts))) {
    logger.info('stale delivery dropped', { deliveryId: delivery.id, endpointId: delivery.endpointId });
    return;
  }
  let known: Health = endpoint;
  /** Noted at once, so that its other tries do not begin without a slot meanwhile. */
  const noteSlowness = async (): Promise<void> => {
    const slow = { ...known, respondsQuickly: false };
    try {
      await noteHealth(deliverer, endpoint, known, slow);
      known = slow;
    } catch (error) {
      // The try goes on: it notes the same when it ends.
      logger.error('webhook health not noted', error, { endpointId: endpoint.id, account: endpoint.account });
    }
  };
  const mayWait = async (): Promise<boolean> => {
    const [isAllowed] = await Promise.all([takeSlot?.() ?? true, noteSlowness()]);
    return isAllowed;
  };
  const attempt = await sender.sendUnlessSlow(endpoint, delivery.event, mayWait);
  if (attempt === undefined) return breakOff(deliverer, claimed);
  const outcome = outcomeOf(claimed, attempt, now(), random());
  await saveOutcome(deliverer, claimed, attempt, outcome);
  await noteHealth(deliverer, endpoint, known, healthAfter(known, attempt, outcome, now()));
};

/** All slots are taken: the worker is left to others, and the try is made later as if it had not begun. */
const breakOff = async (deliverer: Deliverer, claimed: WebhookDelivery): Promise<void> => {
  const { deliveries, logger, now, random } = deliverer;
  logger.info('webhook try broken off', logFields(claimed));
  const delay = roomDelay(now() - claimed.createdAt, random());
  const next = { ...tryBrokenOff(claimed), nextAt: now() + delay };
  if (await deliveries.save(next, claimed.attempts)) await sendTry(deliverer, next, delay);
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
  { endpoints, logger }: Deliverer,
  { account, id, updatedAt }: WebhookEndpoint,
  known: Health,
  { failingSince, respondsQuickly, disabled }: Health,
): Promise<void> => {
  if (
    failingSince === known.failingSince &&
    respondsQuickly === known.respondsQuickly &&
    disabled === known.disabled
  )
    return;
  await endpoints.noteHealth({ account, id, updatedAt, failingSince, respondsQuickly, disabled });
  if (disabled !== undefined && known.disabled === undefined)
    logger.info('webhook endpoint disabled', { endpointId: id, account, reason: disabled.reason });
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

/** What the webhook worker works with. */
export type Deliverer = {
  readonly endpoints: Pick<WebhookEndpoints, 'find' | 'list' | 'noteHealth'>;
  readonly deliveries: Pick<WebhookDeliveries, 'add' | 'find' | 'save' | 'postpone'>;
  readonly queue: WebhookQueue;
  readonly sender: Pick<WebhookSender, 'sendUnlessSlow'>;
  /** The tries that hold a worker for long, by account and endpoint. */
  readonly slowSteps: SlowSteps;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
};

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
