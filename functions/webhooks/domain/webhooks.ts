export const WEBHOOK_EVENT_TYPES = ['video.completed', 'video.failed'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Told to every endpoint of the account that asked for its type; the identifier follows from the task. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly createdAt: number;
  readonly account: string;
  readonly taskId: string;
};

/** Why nothing is sent to an endpoint any more: it answered 410, or failed for days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** As many as an account may have. */
export const MOST_ENDPOINTS = 10;

/** Where an account wants to be told of its events. Secrets are as the account knows them: `whsec_…`. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly secret: string;
  /** The secret before the last rotation, while it is kept. */
  readonly oldSecret: { readonly value: string; readonly until: number } | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Since when every delivery failed. */
  readonly failingSince: number | undefined;
  /** Whether the last try took little time; undefined until the first one. */
  readonly respondsQuickly: boolean | undefined;
  readonly disabled: { readonly at: number; readonly reason: DisabledReason } | undefined;
};

/** An endpoint as it can be told at any time: of its secret there is the end only. */
export type WebhookDescription = Omit<WebhookEndpoint, 'secret' | 'oldSecret'> & {
  readonly secretHint: string;
};

/** `failed` means that it is not tried again. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What one try to deliver came to: an answer, or the reason why there was none. */
export type DeliveryAttempt = {
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | undefined;
  /** The first KB of the answer's body. */
  readonly answer: string | undefined;
  readonly error: string | undefined;
};

/** One event on its way to one endpoint; the identifier follows from both, so that it exists once. */
export type WebhookDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly event: WebhookEvent;
  readonly status: DeliveryStatus;
  /** Tries that were begun; a message for an earlier number is out of date. */
  readonly attempts: number;
  /** When the next try is due; undefined once it has ended. */
  readonly nextAt: number | undefined;
  /** Until when a worker has it for itself, while it makes a try. */
  readonly tryingUntil?: number | undefined;
  readonly lastAttempt: DeliveryAttempt | undefined;
  readonly createdAt: number;
  /** When it is forgotten. */
  readonly expiresAt: number;
};
