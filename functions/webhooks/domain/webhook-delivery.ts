import { deliveryIdOf } from './webhook-id.ts';
import type { DueDelivery } from './webhook-ports.ts';
import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent } from './webhooks.ts';

/** How an event gets to an endpoint: each move is a pure function to the next state. Times in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pauses after failed tries; a try that fails after the last of them was the last one. */
export const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR] as const;
/** A try ends long before; whoever has not said by then how it went is dead. */
export const TRY_LEASE = MINUTE;
/** An answer that takes longer than this is slow: it holds a worker that others wait for. */
export const QUICK_ANSWER = SECOND;
/** An endpoint that has failed for so long without a success gets nothing more. */
export const FAILING_LIMIT = 3 * DAY;
const DELIVERY_LIFETIME = 30 * DAY;

export const newDelivery = (endpointId: string, event: WebhookEvent, now: number): WebhookDelivery => ({
  id: deliveryIdOf(endpointId, event),
  endpointId,
  event,
  status: 'pending',
  attempts: 0,
  nextAt: now,
  tryingUntil: undefined,
  lastAttempt: undefined,
  createdAt: now,
  expiresAt: now + DELIVERY_LIFETIME,
});

/** What a message says of it. */
export const dueOf = ({ id, endpointId, attempts, event }: WebhookDelivery): DueDelivery => ({
  id,
  endpointId,
  attempts,
  account: event.account,
});

/** Recorded before the try: from here on the endpoint may have the event, and nobody else tries until the lease ends. */
export const claimTry = (delivery: WebhookDelivery, now: number): WebhookDelivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  nextAt: now + TRY_LEASE,
  tryingUntil: now + TRY_LEASE,
});

const END = { nextAt: undefined, tryingUntil: undefined } as const;

export const delivered = (delivery: WebhookDelivery, lastAttempt: DeliveryAttempt): WebhookDelivery => ({
  ...delivery,
  ...END,
  status: 'delivered',
  lastAttempt,
});

/** No try is made any more. */
export const givenUp = (
  delivery: WebhookDelivery,
  lastAttempt: DeliveryAttempt | undefined = delivery.lastAttempt,
): WebhookDelivery => ({ ...delivery, ...END, status: 'failed', lastAttempt });

/** Up to a tenth later, so that what failed together is not tried together. */
export const tryFailed = (
  delivery: WebhookDelivery,
  lastAttempt: DeliveryAttempt,
  now: number,
  random: number,
): WebhookDelivery => {
  const delay = RETRY_DELAYS[delivery.attempts - 1];
  if (delay === undefined) return givenUp(delivery, lastAttempt);
  return { ...delivery, nextAt: now + delay * (1 + random / 10), tryingUntil: undefined, lastAttempt };
};

/** The worker was needed for others before an answer came: the try does not count. */
export const tryBrokenOff = (claimed: WebhookDelivery): WebhookDelivery => ({
  ...claimed,
  attempts: claimed.attempts - 1,
  tryingUntil: undefined,
});

/** A delivery that finds no room waits as long again as it has waited, so that a backlog causes little work. */
export const roomDelay = (waited: number, random: number): number =>
  Math.min(Math.max(waited, SECOND), 5 * MINUTE) * (1 + random / 4);

export const isAccepted = ({ statusCode = 0 }: DeliveryAttempt): boolean =>
  statusCode >= 200 && statusCode < 300;

const GONE = 410;
export const isGone = ({ statusCode }: DeliveryAttempt): boolean => statusCode === GONE;

export type Health = Pick<WebhookEndpoint, 'failingSince' | 'respondsQuickly' | 'disabled'>;

/**
 * How an endpoint does after a try. One that says that it is gone gets nothing more; nor does one that has failed for
 * days, once a delivery has had all of its tries: a first failure after quiet days is no reason.
 */
export const healthAfter = (
  { failingSince, disabled }: Pick<Health, 'failingSince' | 'disabled'>,
  attempt: DeliveryAttempt,
  { status }: Pick<WebhookDelivery, 'status'>,
  now: number,
): Health => {
  const respondsQuickly = attempt.durationMs <= QUICK_ANSWER;
  if (isAccepted(attempt)) return { failingSince: undefined, respondsQuickly, disabled };
  const failing = { failingSince: failingSince ?? attempt.at, respondsQuickly };
  if (isGone(attempt)) return { ...failing, disabled: { at: now, reason: 'gone' } };
  if (status === 'failed' && now - failing.failingSince >= FAILING_LIMIT)
    return { ...failing, disabled: { at: now, reason: 'failing' } };
  return { ...failing, disabled };
};
