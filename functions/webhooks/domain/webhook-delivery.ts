import type { BudgetNotice } from '../../billing/domain/budget.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/domain/durations.ts';
import { toDeliveryId } from '../../platform/domain/ids.ts';
import type { DueDelivery } from './webhook-stores.ts';
import {
  BUDGET_EVENT_TYPE,
  type BudgetEvent,
  type DeliveryAttempt,
  type VideoEvent,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
} from './webhooks.ts';

/** The life of a delivery. Each step is a pure function that returns the next state. Times are in milliseconds. */

/** The pause after each failed attempt. An attempt that fails after the last pause is the last one. */
export const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR] as const;
/** An attempt takes much less. A worker that has not reported by then has crashed. */
export const ATTEMPT_LEASE = MINUTE;
/** A slower answer occupies a worker that other deliveries wait for. */
export const QUICK_ANSWER = SECOND;
/** An endpoint that has failed for this long without a success is disabled. */
export const FAILING_LIMIT = 3 * DAY;
const DELIVERY_LIFETIME = 30 * DAY;

/** The id of the notice is that of the event. */
export const toBudgetEvent = ({ id, account, at, kind: _, ...budget }: BudgetNotice): BudgetEvent => ({
  id,
  type: BUDGET_EVENT_TYPE,
  createdAt: at,
  account,
  budget,
});

export const newDelivery = (endpointId: string, event: WebhookEvent, now: number): WebhookDelivery => ({
  id: toDeliveryId(endpointId, event),
  endpointId,
  event,
  status: 'pending',
  attempts: 0,
  nextAt: now,
  createdAt: now,
  expiresAt: now + DELIVERY_LIFETIME,
});

const CALLBACK_IDS = 'callback_';

/** The delivery to the address that a request named, which has an id in place of that of an endpoint. */
export const newCallback = (event: VideoEvent, now: number): WebhookDelivery =>
  newDelivery(`${CALLBACK_IDS}${event.taskId}`, event, now);

/** Undefined for a delivery to an endpoint. */
export const callbackUrl = ({ endpointId, event }: WebhookDelivery): string | undefined =>
  endpointId.startsWith(CALLBACK_IDS) && event.type !== BUDGET_EVENT_TYPE ? event.callbackUrl : undefined;

export const toDueDelivery = ({ id, endpointId, attempts, event }: WebhookDelivery): DueDelivery => ({
  id,
  endpointId,
  attempts,
  account: event.account,
});

/** Saved before the try: from now on the endpoint may have the event, and no other worker tries it meanwhile. */
export const claimAttempt = (delivery: WebhookDelivery, now: number): WebhookDelivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  nextAt: now + ATTEMPT_LEASE,
  attemptUntil: now + ATTEMPT_LEASE,
});

const END = { nextAt: undefined, attemptUntil: undefined } as const;

export const delivered = (delivery: WebhookDelivery, lastAttempt: DeliveryAttempt): WebhookDelivery => ({
  ...delivery,
  ...END,
  status: 'delivered',
  lastAttempt,
});

export const givenUp = (
  delivery: WebhookDelivery,
  lastAttempt: DeliveryAttempt | undefined = delivery.lastAttempt,
): WebhookDelivery => ({ ...delivery, ...END, status: 'failed', lastAttempt });

/** Adds up to a tenth to the pause, so that deliveries that failed together are not retried together. */
export const attemptFailed = (
  delivery: WebhookDelivery,
  lastAttempt: DeliveryAttempt,
  now: number,
  random: number,
): WebhookDelivery => {
  const delay = RETRY_DELAYS[delivery.attempts - 1];
  if (delay === undefined) return givenUp(delivery, lastAttempt);
  return { ...delivery, nextAt: now + delay * (1 + random / 10), attemptUntil: undefined, lastAttempt };
};

/** The worker was needed for other deliveries before an answer came, so the attempt does not count. */
export const attemptAborted = (claimed: WebhookDelivery): WebhookDelivery => ({
  ...claimed,
  attempts: claimed.attempts - 1,
  attemptUntil: undefined,
});

/** A delivery that gets no slot waits as long again as it has waited, so that a backlog causes little work. */
export const slotDelay = (waited: number, random: number): number =>
  Math.min(Math.max(waited, SECOND), 5 * MINUTE) * (1 + random / 4);

export const isAccepted = ({ statusCode = 0 }: DeliveryAttempt): boolean =>
  statusCode >= 200 && statusCode < 300;

/** 410 Gone: the endpoint asks for no more events. */
export const isGone = ({ statusCode }: DeliveryAttempt): boolean => statusCode === 410;

export type Health = Pick<WebhookEndpoint, 'failingSince' | 'respondsQuickly' | 'disabled'>;

export const isSameHealth = (one: Health, other: Health): boolean =>
  one.failingSince === other.failingSince &&
  one.respondsQuickly === other.respondsQuickly &&
  one.disabled === other.disabled;

/**
 * The health of an endpoint after an attempt. It is disabled if it answers 410, or if it has failed for days and a delivery
 * has used up its attempts: one failure after days without events is not enough.
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
