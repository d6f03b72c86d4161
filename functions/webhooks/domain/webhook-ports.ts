import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
  WebhookEvent,
} from './webhooks.ts';

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
