import type { BudgetNotice } from '../../billing/domain/budget.ts';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import { toDeliveryId } from '../../platform/domain/ids.ts';
import {
  BUDGET_EVENT_TYPE,
  type BudgetEvent,
  type DeliveryAttempt,
  type WebhookDelivery,
  type WebhookDescription,
  type WebhookEndpoint,
  type WebhookEvent,
} from './webhooks.ts';

/** The life of a delivery. Each step is a pure function that returns the next state. Times are in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pause after each failed try. A try that fails after the last pause is the last one. */
export const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR] as const;
/** A try takes much less. A worker that has not reported by then has crashed. */
export const TRY_LEASE = MINUTE;
/** A slower answer occupies a worker that other deliveries wait for. */
export const QUICK_ANSWER = SECOND;
/** An endpoint that has failed for this long without a success is disabled. */
export const FAILING_LIMIT = 3 * DAY;
const DELIVERY_LIFETIME = 30 * DAY;

/** The id of the notice is that of the event. */
export const toBudgetEvent = ({
  id,
  account,
  at,
  month,
  threshold,
  used,
  limit,
  currency,
}: BudgetNotice): BudgetEvent => ({
  id,
  type: BUDGET_EVENT_TYPE,
  createdAt: at,
  account,
  budget: { month, threshold, used, limit, currency },
});

export const newDelivery = (endpointId: string, event: WebhookEvent, now: number): WebhookDelivery => ({
  id: toDeliveryId(endpointId, event),
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

export const toDueDelivery = ({ id, endpointId, attempts, event }: WebhookDelivery): DueDelivery => ({
  id,
  endpointId,
  attempts,
  account: event.account,
});

/** Saved before the try: from now on the endpoint may have the event, and no other worker tries it meanwhile. */
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

export const givenUp = (
  delivery: WebhookDelivery,
  lastAttempt: DeliveryAttempt | undefined = delivery.lastAttempt,
): WebhookDelivery => ({ ...delivery, ...END, status: 'failed', lastAttempt });

/** Adds up to a tenth to the pause, so that deliveries that failed together are not retried together. */
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

/** The worker was needed for other deliveries before an answer came, so the try does not count. */
export const tryAborted = (claimed: WebhookDelivery): WebhookDelivery => ({
  ...claimed,
  attempts: claimed.attempts - 1,
  tryingUntil: undefined,
});

/** A delivery that gets no slot waits as long again as it has waited, so that a backlog causes little work. */
export const slotDelay = (waited: number, random: number): number =>
  Math.min(Math.max(waited, SECOND), 5 * MINUTE) * (1 + random / 4);

export const isAccepted = ({ statusCode = 0 }: DeliveryAttempt): boolean =>
  statusCode >= 200 && statusCode < 300;

/** 410 Gone: the endpoint asks for no more events. */
export const isGone = ({ statusCode }: DeliveryAttempt): boolean => statusCode === 410;

export type Health = Pick<WebhookEndpoint, 'failingSince' | 'respondsQuickly' | 'disabled'>;

/**
 * The health of an endpoint after a try. It is disabled if it answers 410, or if it has failed for days and a delivery
 * has used up its tries: one failure after days without events is not enough.
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

/** The repository of endpoints without their secrets, which most functions do not need. */
/** Endpoints without their secrets. */
export type WebhookDescriptions = {
  describe(account: string, id: string): Promise<WebhookDescription | undefined>;
  /** Newest first. */
  list(account: string): Promise<readonly WebhookDescription[]>;
  /** Writes only the health; does nothing if the endpoint is gone or has changed since it was read. */
  saveHealth(
    endpoint: Pick<
      WebhookEndpoint,
      'account' | 'id' | 'updatedAt' | 'failingSince' | 'respondsQuickly' | 'disabled'
    >,
  ): Promise<void>;
};

/** Changes by the owner, each with its audit entry. */
export type WebhookChanges = {
  /** False means that the endpoint is gone or has changed since it was read. */
  change(next: WebhookDescription, read: WebhookDescription, entry: AuditEntry): Promise<boolean>;
  /** False if the account has no such endpoint. */
  remove(account: string, id: string, entry: AuditEntry): Promise<boolean>;
};

export type WebhookEndpoints = WebhookDescriptions & {
  find(account: string, id: string): Promise<WebhookEndpoint | undefined>;
};

/** Changes that create a secret. */
export type WebhookSecrets = {
  /** False means that the account has reached its limit. */
  add(endpoint: WebhookEndpoint, entry: AuditEntry): Promise<boolean>;
  /** Keeps the old secret until the given time, if any. False as for `change`. */
  rotate(
    read: WebhookDescription,
    next: Pick<WebhookEndpoint, 'secret' | 'updatedAt'>,
    keepOldUntil: number | undefined,
    entry: AuditEntry,
  ): Promise<boolean>;
};

export type DueDelivery = Pick<WebhookDelivery, 'id' | 'endpointId' | 'attempts'> & {
  readonly account: string;
};
export type DeliveryPage = { readonly deliveries: readonly WebhookDelivery[]; readonly hasMore: boolean };

export type WebhookDeliveries = {
  /** Does nothing if the delivery exists. */
  add(delivery: WebhookDelivery): Promise<void>;
  find(endpointId: string, id: string): Promise<WebhookDelivery | undefined>;
  /** Newest first, after the delivery with the given id. */
  page(endpointId: string, limit: number, after: string | undefined): Promise<DeliveryPage>;
  /** Writes `next` if `attempts` has not changed since it was read; false means that another worker won. */
  save(next: WebhookDelivery, readAttempts: number): Promise<boolean>;
  /** Postpones a try that has not begun; false means that it has begun or that none is due. */
  postpone(delivery: DueDelivery, nextAt: number): Promise<boolean>;
  /** Deliveries whose next try is due by the given time. */
  due(until: number): AsyncIterable<DueDelivery>;
};

/** A message of the webhook queue: an event for all endpoints of its account, or the next try of one delivery. */
export type WebhookMessage =
  | { readonly kind: 'event'; readonly event: WebhookEvent }
  | {
      readonly kind: 'delivery';
      readonly delivery: DueDelivery;
      /** Whether it is a first try at an endpoint that is expected to answer quickly. Such tries go first. */
      readonly isPrompt?: boolean | undefined;
    };

export type WebhookQueue = {
  /** A message whose delay is longer than the queue allows is left to the sweeper. */
  send(message: WebhookMessage, delayMs: number): Promise<void>;
  /** Sends all messages without delay; returns those that the queue refused. */
  sendAll(messages: readonly WebhookMessage[]): Promise<readonly WebhookMessage[]>;
};

type Receiver = Pick<WebhookEndpoint, 'url' | 'secret' | 'oldSecret'>;

/** Makes one try. Any answer, and no answer, is a result; neither is thrown. */
export type WebhookSender = {
  send(endpoint: Receiver, event: WebhookEvent): Promise<DeliveryAttempt>;
  /** Calls `mayWait` once if no quick answer comes; undefined means that the try was aborted. */
  sendUnlessSlow(
    endpoint: Receiver,
    event: WebhookEvent,
    mayWait: () => Promise<boolean>,
  ): Promise<DeliveryAttempt | undefined>;
};
