import { DomainError } from '../../platform/domain/errors.ts';
import { type SlowSteps, shareWhenSlow, withinShare } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import {
  ATTEMPT_LEASE,
  attemptAborted,
  attemptFailed,
  callbackUrl,
  claimAttempt,
  delivered,
  givenUp,
  type Health,
  healthAfter,
  isAccepted,
  isGone,
  isSameHealth,
  newCallback,
  newDelivery,
  slotDelay,
  toDueDelivery,
} from '../domain/webhook-delivery.ts';
import type {
  DueDelivery,
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookMessage,
  WebhookQueue,
  WebhookSender,
} from '../domain/webhook-stores.ts';
import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent } from '../domain/webhooks.ts';

export type Deliverer = {
  readonly endpoints: Pick<WebhookEndpoints, 'find' | 'list' | 'saveHealth'>;
  readonly deliveries: Pick<WebhookDeliveries, 'add' | 'find' | 'save' | 'postpone'>;
  readonly queue: WebhookQueue;
  readonly sender: Pick<WebhookSender, 'sendUnlessSlow'>;
  /** Slots for attempts that occupy a worker for long, shared by account and endpoint. */
  readonly slowSteps: SlowSteps;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
};

/** A failed message is hidden for minutes. After a throttled table, a new message comes sooner. */
const OVERLOAD_PAUSE = 20_000;
/** With more untried endpoints than this, an account's new endpoints are not assumed to be quick. */
const MAX_UNTRIED = 2;

export const deliverWebhooks = async (deliverer: Deliverer, message: WebhookMessage): Promise<void> => {
  try {
    if (message.kind === 'event') await createDeliveries(deliverer, message.event);
    else await attemptDelivery(deliverer, message.delivery);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'overloaded') throw error;
    const { queue, logger, random } = deliverer;
    logger.info('webhook message postponed', { kind: message.kind });
    await queue.send(message, OVERLOAD_PAUSE * (1 + random()));
  }
};

/** One delivery for the address that the request named, if any, and for each endpoint that subscribes. A repeated event creates none. */
const createDeliveries = async (
  { endpoints, deliveries, queue, logger, now }: Deliverer,
  event: WebhookEvent,
): Promise<void> => {
  const subscribed = (await endpoints.list(event.account)).filter(
    ({ disabled, eventTypes }) => disabled === undefined && eventTypes.includes(event.type),
  );
  const callbacks =
    'callbackUrl' in event && event.callbackUrl !== undefined ? [newCallback(event, now())] : [];
  if (subscribed.length + callbacks.length === 0) return;
  const untried = subscribed.filter(({ respondsQuickly }) => respondsQuickly === undefined).length;
  const created = [
    ...subscribed.map(({ id, respondsQuickly = untried <= MAX_UNTRIED }) => ({
      delivery: newDelivery(id, event, now()),
      isPrompt: respondsQuickly,
    })),
    ...callbacks.map((delivery) => ({ delivery, isPrompt: false })),
  ];
  await Promise.all(created.map(({ delivery }) => deliveries.add(delivery)));
  const refused = await queue.sendAll(
    created.map(({ delivery, isPrompt }) => ({
      kind: 'delivery',
      delivery: toDueDelivery(delivery),
      isPrompt,
    })),
  );
  // They are saved as due, so the sweeper sends them.
  for (const message of refused)
    if (message.kind === 'delivery')
      logger.error('delivery not queued', undefined, { deliveryId: message.delivery.id });
};

/** Makes the attempt that the message is for; an outdated message is dropped. */
export const attemptDelivery = async (deliverer: Deliverer, due: DueDelivery): Promise<void> => {
  const { deliveries, endpoints, logger, now } = deliverer;
  const delivery = await deliveries.find(due.endpointId, due.id);
  if (delivery?.status !== 'pending' || delivery.attempts !== due.attempts) {
    logger.info('stale delivery dropped', { deliveryId: due.id, endpointId: due.endpointId });
    return;
  }
  // Another worker has claimed it. If that worker crashes, the sweeper sends the next message.
  if (delivery.attemptUntil !== undefined && now() < delivery.attemptUntil) return;
  const url = callbackUrl(delivery);
  if (url !== undefined) return attemptCallback(deliverer, delivery, url);
  const endpoint = await endpoints.find(due.account, due.endpointId);
  if (endpoint === undefined || endpoint.disabled !== undefined) {
    if (await deliveries.save(givenUp(delivery), delivery.attempts))
      logger.info('webhook given up', logFields(delivery));
    return;
  }
  const slot = {
    owner: endpoint.account,
    part: endpoint.id,
    id: delivery.id,
    isFailing: endpoint.failingSince !== undefined,
  };
  if (endpoint.respondsQuickly !== true) {
    // The endpoint was slow or is untried, so the attempt needs a slot from the start.
    await withinShare(deliverer, slot, ATTEMPT_LEASE, {
      work: () => claimAndAttempt(deliverer, endpoint, delivery),
      postpone: () => postponeAttempt(deliverer, delivery),
    });
    return;
  }
  // The attempt needs a slot only if it turns out to be slow; without a free slot it is aborted.
  const slotWhenSlow = shareWhenSlow(deliverer, slot, ATTEMPT_LEASE);
  try {
    await claimAndAttempt(deliverer, endpoint, delivery, slotWhenSlow.begin);
  } finally {
    await slotWhenSlow.end();
  }
};

/** All callbacks of an account share the slots of one endpoint, since nothing is remembered about an address. */
const attemptCallback = async (
  deliverer: Deliverer,
  delivery: WebhookDelivery,
  url: string,
): Promise<void> => {
  const { endpoints, sender, now, random } = deliverer;
  const { account } = delivery.event;
  const slot = { owner: account, part: 'callbacks', id: delivery.id, isFailing: delivery.attempts > 0 };
  await withinShare(deliverer, slot, ATTEMPT_LEASE, {
    work: async () => {
      const listed = await endpoints.list(account);
      const found = await Promise.all(listed.map(({ id }) => endpoints.find(account, id)));
      const signers = found.filter((endpoint) => endpoint !== undefined);
      const claimed = await claim(deliverer, delivery);
      if (claimed === undefined) return;
      const attempt = await sender.sendUnlessSlow({ url, signers }, delivery.event, async () => true);
      if (attempt === undefined) return abortAttempt(deliverer, claimed);
      await saveAttempt(deliverer, claimed, attempt, afterAttempt(claimed, attempt, now(), random()));
    },
    postpone: () => postponeAttempt(deliverer, delivery),
  });
};

const logFields = ({ id, endpointId, event, attempts }: WebhookDelivery) => ({
  deliveryId: id,
  endpointId,
  account: event.account,
  eventId: event.id,
  attempts,
});

/** Postpones an attempt that has not begun, so it does not count. */
const postponeAttempt = async (deliverer: Deliverer, delivery: WebhookDelivery): Promise<void> => {
  const { deliveries, now, random } = deliverer;
  const delay = slotDelay(now() - delivery.createdAt, random());
  if (await deliveries.postpone(toDueDelivery(delivery), now() + delay))
    await queueAttempt(deliverer, delivery, delay);
};

/** Undefined if another worker has it. */
const claim = async (
  { deliveries, logger, now }: Deliverer,
  delivery: WebhookDelivery,
): Promise<WebhookDelivery | undefined> => {
  const claimed = claimAttempt(delivery, now());
  if (await deliveries.save(claimed, delivery.attempts)) return claimed;
  logger.info('stale delivery dropped', { deliveryId: delivery.id, endpointId: delivery.endpointId });
  return undefined;
};

const claimAndAttempt = async (
  deliverer: Deliverer,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  takeSlot?: () => Promise<boolean>,
): Promise<void> => {
  const { sender, logger, now, random } = deliverer;
  const claimed = await claim(deliverer, delivery);
  if (claimed === undefined) return;
  let known: Health = endpoint;
  /** Saved at once, so that other attempts at this endpoint do not begin without a slot meanwhile. */
  const saveSlowness = async (): Promise<void> => {
    const slow = { ...known, respondsQuickly: false };
    try {
      await saveHealth(deliverer, endpoint, known, slow);
      known = slow;
    } catch (error) {
      // The attempt goes on; its end saves the same.
      logger.error('webhook health not saved', error, { endpointId: endpoint.id, account: endpoint.account });
    }
  };
  const mayWait = async (): Promise<boolean> => {
    const [isAllowed] = await Promise.all([takeSlot?.() ?? true, saveSlowness()]);
    return isAllowed;
  };
  const attempt = await sender.sendUnlessSlow(endpoint, delivery.event, mayWait);
  if (attempt === undefined) return abortAttempt(deliverer, claimed);
  const next = afterAttempt(claimed, attempt, now(), random());
  await saveAttempt(deliverer, claimed, attempt, next);
  await saveHealth(deliverer, endpoint, known, healthAfter(known, attempt, next, now()));
};

/** All slots are taken: the worker serves other deliveries, and the attempt is repeated as if it had not begun. */
const abortAttempt = async (deliverer: Deliverer, claimed: WebhookDelivery): Promise<void> => {
  const { deliveries, logger, now, random } = deliverer;
  logger.info('webhook attempt aborted', logFields(claimed));
  const delay = slotDelay(now() - claimed.createdAt, random());
  const next = { ...attemptAborted(claimed), nextAt: now() + delay };
  if (await deliveries.save(next, claimed.attempts)) await queueAttempt(deliverer, next, delay);
};

const afterAttempt = (
  claimed: WebhookDelivery,
  attempt: DeliveryAttempt,
  now: number,
  random: number,
): WebhookDelivery => {
  if (isAccepted(attempt)) return delivered(claimed, attempt);
  return isGone(attempt) ? givenUp(claimed, attempt) : attemptFailed(claimed, attempt, now, random);
};

const saveAttempt = async (
  deliverer: Deliverer,
  claimed: WebhookDelivery,
  { at, durationMs, statusCode, error }: DeliveryAttempt,
  next: WebhookDelivery,
): Promise<void> => {
  const { deliveries, logger, now } = deliverer;
  const fields = logFields(claimed);
  if (next.status === 'delivered')
    logger.info('webhook delivered', {
      ...fields,
      delaySeconds: (at + durationMs - claimed.event.createdAt) / 1000,
    });
  else logger.info('webhook attempt failed', { ...fields, statusCode, reason: error, durationMs });
  if (next.status === 'failed') logger.info('webhook given up', fields);
  const won = await deliveries.save(next, claimed.attempts);
  if (won && next.nextAt !== undefined) await queueAttempt(deliverer, next, next.nextAt - now());
};

/** Writes only changes, so a healthy endpoint costs no writes. */
const saveHealth = async (
  { endpoints, logger }: Deliverer,
  { account, id, updatedAt }: WebhookEndpoint,
  known: Health,
  health: Health,
): Promise<void> => {
  if (isSameHealth(health, known)) return;
  const { failingSince, respondsQuickly, disabled } = health;
  await endpoints.saveHealth({ account, id, updatedAt, failingSince, respondsQuickly, disabled });
  // A disabled endpoint is not tried, so it was enabled before.
  if (disabled !== undefined)
    logger.info('webhook endpoint disabled', { endpointId: id, account, reason: disabled.reason });
};

const queueAttempt = async (
  { queue, logger }: Deliverer,
  delivery: WebhookDelivery,
  delayMs: number,
): Promise<void> => {
  try {
    await queue.send({ kind: 'delivery', delivery: toDueDelivery(delivery) }, Math.max(0, delayMs));
  } catch (error) {
    // The due time is saved, so the sweeper sends it.
    logger.error('delivery not queued', error, { deliveryId: delivery.id });
  }
};
