import type { AuditEntry } from '../../identity/domain/audit.ts';
import type { Page } from '../../platform/domain/pages.ts';
import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
  WebhookEvent,
} from './webhooks.ts';

/** What deliveries need from outside: stores, the queue, and the sender. */

/** The endpoints of accounts. Changes by their owners are written with audit entries. */
export type WebhookEndpoints = {
  /** Without its secrets. */
  describe(account: string, id: string): Promise<WebhookDescription | undefined>;
  find(account: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** Newest first. */
  list(account: string): Promise<readonly WebhookDescription[]>;
  /** Writes only the health; does nothing if the endpoint is gone or has changed since it was read. */
  saveHealth(
    endpoint: Pick<
      WebhookEndpoint,
      'account' | 'id' | 'updatedAt' | 'failingSince' | 'respondsQuickly' | 'disabled'
    >,
  ): Promise<void>;
  /** False means that the account has reached its limit. */
  add(endpoint: WebhookEndpoint, entry: AuditEntry): Promise<boolean>;
  /** False means that the endpoint is gone or has changed since it was read. */
  change(next: WebhookDescription, read: WebhookDescription, entry: AuditEntry): Promise<boolean>;
  /** Keeps the old secret until the given time, if any. False as for `change`. */
  rotate(
    read: WebhookDescription,
    next: Pick<WebhookEndpoint, 'secret' | 'updatedAt'>,
    keepOldUntil: number | undefined,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** False if the account has no such endpoint. */
  remove(account: string, id: string, entry: AuditEntry): Promise<boolean>;
};

export type DueDelivery = Pick<WebhookDelivery, 'id' | 'endpointId' | 'attempts'> & {
  readonly account: string;
};

export type WebhookDeliveries = {
  /** Does nothing if the delivery exists. */
  add(delivery: WebhookDelivery): Promise<void>;
  find(endpointId: string, id: string): Promise<WebhookDelivery | undefined>;
  /** Newest first, after the delivery with the given id. */
  page(endpointId: string, limit: number, after: string | undefined): Promise<Page<WebhookDelivery>>;
  /** Writes `next` if `attempts` has not changed since it was read; false means that another worker won. */
  save(next: WebhookDelivery, readAttempts: number): Promise<boolean>;
  /** Postpones an attempt that has not begun; false means that it has begun or that none is due. */
  postpone(delivery: DueDelivery, nextAt: number): Promise<boolean>;
  /** Deliveries whose next attempt is due by the given time. */
  due(until: number): AsyncIterable<DueDelivery>;
};

/** A message of the webhook queue: an event for all endpoints of its account, or the next attempt of one delivery. */
export type WebhookMessage =
  | { readonly kind: 'event'; readonly event: WebhookEvent }
  | {
      readonly kind: 'delivery';
      readonly delivery: DueDelivery;
      /** Whether it is a first attempt at an endpoint that is expected to answer quickly. Such attempts go first. */
      readonly isPrompt?: boolean | undefined;
    };

export type WebhookQueue = {
  /** A message whose delay is longer than the queue allows is left to the sweeper. */
  send(message: WebhookMessage, delayMs: number): Promise<void>;
  /** Sends all messages without delay; returns those that the queue refused. */
  sendAll(messages: readonly WebhookMessage[]): Promise<readonly WebhookMessage[]>;
};

type Signer = Pick<WebhookEndpoint, 'secret' | 'oldSecret'>;

/** An endpoint signs for itself; for an address that a request named, all endpoints of the account do. */
export type Receiver = Pick<WebhookEndpoint, 'url'> & (Signer | { readonly signers: readonly Signer[] });

/** Makes one attempt. Any answer, and no answer, is a result; neither is thrown. */
export type WebhookSender = {
  send(endpoint: Receiver, event: WebhookEvent): Promise<DeliveryAttempt>;
  /** Calls `mayWait` once if no quick answer comes; undefined means that the attempt was aborted. */
  sendUnlessSlow(
    endpoint: Receiver,
    event: WebhookEvent,
    mayWait: () => Promise<boolean>,
  ): Promise<DeliveryAttempt | undefined>;
};
