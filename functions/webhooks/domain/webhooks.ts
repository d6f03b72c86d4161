import type { BudgetNotice } from '../../billing/domain/budget.ts';

export const VIDEO_EVENT_TYPES = ['video.completed', 'video.failed'] as const;
export const BUDGET_EVENT_TYPE = 'budget.threshold_reached';
export const WEBHOOK_EVENT_TYPES = [...VIDEO_EVENT_TYPES, BUDGET_EVENT_TYPE] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Shown in the console and in the docs. */
export const SENT_WHEN: Readonly<Record<WebhookEventType, string>> = {
  'video.completed': 'A video is complete and can be downloaded',
  'video.failed': 'A video has failed or was cancelled',
  'budget.threshold_reached': '80 % or 100 % of the monthly budget is used',
};

type EventFields = { readonly id: string; readonly createdAt: number; readonly account: string };

/** Its id is derived from the task. */
export type VideoEvent = EventFields & {
  readonly type: (typeof VIDEO_EVENT_TYPES)[number];
  readonly taskId: string;
  /** An address that the request for the video named. It gets the event whether or not an endpoint does. */
  readonly callbackUrl?: string | undefined;
};
/** Its id is derived from the account, the month, the budget and the threshold. */
export type BudgetEvent = EventFields & {
  readonly type: typeof BUDGET_EVENT_TYPE;
  readonly budget: Pick<BudgetNotice, 'month' | 'threshold' | 'used' | 'limit' | 'currency'>;
};

/** Sent to every endpoint of the account that subscribes to its type. */
export type WebhookEvent = VideoEvent | BudgetEvent;

/** An endpoint is disabled if it answered 410 (`gone`) or failed for days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Per account. */
export const MAX_ENDPOINTS = 10;

/** A URL that receives the events of an account. Secrets start with `whsec_`. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly secret: string;
  /** The secret before the last rotation, if it was kept. */
  readonly oldSecret?: { readonly value: string; readonly until: number } | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The time since which every delivery has failed. */
  readonly failingSince?: number | undefined;
  /** Whether the last attempt was answered quickly; undefined before the first attempt. */
  readonly respondsQuickly?: boolean | undefined;
  readonly disabled?: { readonly at: number; readonly reason: DisabledReason } | undefined;
};

/** An endpoint without its secrets, as the API shows it. */
export type WebhookDescription = Omit<WebhookEndpoint, 'secret' | 'oldSecret'> & {
  readonly secretHint: string;
};

/** `failed` means that there are no more attempts. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The result of one try: an answer, or the reason why there was none. */
export type DeliveryAttempt = {
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode?: number | undefined;
  /** The first KB of the answer's body. */
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
};

/** One event for one endpoint. The id is derived from both, so there is only one such delivery. */
export type WebhookDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly event: WebhookEvent;
  readonly status: DeliveryStatus;
  /** Attempts begun so far; a message with a lower number is outdated. */
  readonly attempts: number;
  /** When the next attempt is due; undefined once the delivery has ended. */
  readonly nextAt?: number | undefined;
  /** While a worker makes an attempt: when its claim expires. */
  readonly attemptUntil?: number | undefined;
  readonly lastAttempt?: DeliveryAttempt | undefined;
  readonly createdAt: number;
  /** When it is deleted. */
  readonly expiresAt: number;
};
