import { createHash } from 'node:crypto';
import { deliveryIdOf } from '../../platform/domain/ids.ts';
import type { Task } from '../../videos/domain/task.ts';
import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
  WebhookEvent,
} from './webhooks.ts';

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

/** What webhooks need of the world; the adapters provide it. */

/** Endpoints without their secrets: most of what is done with them needs none. */
export type WebhookDescriptions = {
  describe(account: string, id: string): Promise<WebhookDescription | undefined>;
  /** The newest first. */
  list(account: string): Promise<readonly WebhookDescription[]>;
  /** Writes what its owner changed; false means that it is gone, or was changed since it was read. */
  change(next: WebhookDescription, read: WebhookDescription): Promise<boolean>;
  /** Writes how its deliveries go, and nothing else; does nothing where it is gone or was changed since it was read. */
  noteHealth(
    endpoint: Pick<
      WebhookEndpoint,
      'account' | 'id' | 'updatedAt' | 'failingSince' | 'respondsQuickly' | 'disabled'
    >,
  ): Promise<void>;
  /** False when the account has no such endpoint. */
  remove(account: string, id: string): Promise<boolean>;
};

export type WebhookEndpoints = WebhookDescriptions & {
  /** False means that the account has as many as it may have. */
  add(endpoint: WebhookEndpoint): Promise<boolean>;
  find(account: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** The secret before is kept until the given time, or not at all. False as for `change`. */
  rotate(
    read: WebhookDescription,
    next: Pick<WebhookEndpoint, 'secret' | 'updatedAt'>,
    keepOldUntil: number | undefined,
  ): Promise<boolean>;
};

export type DueDelivery = Pick<WebhookDelivery, 'id' | 'endpointId' | 'attempts'> & {
  readonly account: string;
};
export type DeliveryPage = { readonly deliveries: readonly WebhookDelivery[]; readonly hasMore: boolean };

export type WebhookDeliveries = {
  /** Does nothing where it exists already. */
  add(delivery: WebhookDelivery): Promise<void>;
  find(endpointId: string, id: string): Promise<WebhookDelivery | undefined>;
  /** The newest first, after the one with the given identifier. */
  page(endpointId: string, limit: number, after: string | undefined): Promise<DeliveryPage>;
  /** Writes `next` if `attempts` is still as it was read; false means that another worker won. */
  save(next: WebhookDelivery, readAttempts: number): Promise<boolean>;
  /** Puts off a try that has not begun since, and writes nothing else; false means that it has, or that there is none. */
  postpone(delivery: DueDelivery, nextAt: number): Promise<boolean>;
  /** Deliveries whose next try is due by the given time. */
  due(until: number): AsyncIterable<DueDelivery>;
};

/** A message of the webhook queue: an event for all endpoints of its account, or one delivery's next try. */
export type WebhookMessage =
  | { readonly kind: 'event'; readonly event: WebhookEvent }
  | {
      readonly kind: 'delivery';
      readonly delivery: DueDelivery;
      /** The first try at an endpoint that is expected to be quick: it goes before tries that may take long. */
      readonly isPrompt?: boolean | undefined;
    };

export type WebhookQueue = {
  /** What is due later than a message can wait is left to the sweeper. */
  send(message: WebhookMessage, delayMs: number): Promise<void>;
  /** Sends all of them without delay; returns those that the queue refused. */
  sendAll(messages: readonly WebhookMessage[]): Promise<readonly WebhookMessage[]>;
};

type Receiver = Pick<WebhookEndpoint, 'url' | 'secret' | 'oldSecret'>;

/** Makes one try; what an endpoint answers, or that it does not, is a result and no error. */
export type WebhookSender = {
  send(endpoint: Receiver, event: WebhookEvent): Promise<DeliveryAttempt>;
  /** Asks once, when a quick answer does not come, whether to wait for it; undefined means that it broke off. */
  sendUnlessSlow(
    endpoint: Receiver,
    event: WebhookEvent,
    mayWait: () => Promise<boolean>,
  ): Promise<DeliveryAttempt | undefined>;
};

/** What is told of a task that has ended. However often it is told, the identifier is the same. */
export const eventOf = ({
  id,
  account,
  createdAt,
  status,
  completedAt,
  failedAt,
}: Pick<Task, 'id' | 'account' | 'createdAt' | 'status' | 'completedAt' | 'failedAt'>): WebhookEvent => {
  // An id that an idempotency key gave can come again after a deletion; its time cannot.
  const digest = createHash('sha256')
    .update(JSON.stringify([id, createdAt]))
    .digest('hex');
  return {
    id: `evt_${digest.slice(0, 32)}`,
    type: status === 'completed' ? 'video.completed' : 'video.failed',
    createdAt: completedAt ?? failedAt ?? createdAt,
    account,
    taskId: id,
  };
};
