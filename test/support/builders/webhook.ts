import { newEndpointId, toDeliveryId } from '../../../functions/platform/domain/ids.ts';
import { newSigningSecret } from '../../../functions/webhooks/domain/webhook-signature.ts';
import type {
  BudgetEvent,
  VideoEvent,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from '../../../functions/webhooks/domain/webhooks.ts';

const DAY = 86_400_000;

export const aWebhookEndpoint = (change: Partial<WebhookEndpoint> = {}): WebhookEndpoint => {
  const createdAt = change.createdAt ?? Date.now();
  return {
    id: newEndpointId(createdAt),
    account: 'acme',
    name: 'An endpoint',
    url: 'https://example.com/hook',
    eventTypes: ['video.completed', 'video.failed'],
    secret: newSigningSecret(),
    oldSecret: undefined,
    createdAt,
    updatedAt: createdAt,
    failingSince: undefined,
    respondsQuickly: false,
    disabled: undefined,
    ...change,
  };
};

export const aWebhookEvent = (change: Partial<VideoEvent> = {}): VideoEvent => ({
  id: 'evt_1',
  type: 'video.completed',
  createdAt: Date.now(),
  account: 'acme',
  taskId: 'task_1',
  callbackUrl: undefined,
  ...change,
});

export const aBudgetEvent = (change: Partial<BudgetEvent> = {}): BudgetEvent => ({
  id: 'evt_2',
  type: 'budget.threshold_reached',
  createdAt: Date.now(),
  account: 'acme',
  budget: { month: '2026-11', threshold: 80, used: '80.40', limit: '100', currency: 'USD' },
  ...change,
});

/** One that waits for its first try. */
export const aWebhookDelivery = (
  endpointId: string,
  event: WebhookEvent = aWebhookEvent(),
  change: Partial<WebhookDelivery> = {},
): WebhookDelivery => ({
  id: toDeliveryId(endpointId, event),
  endpointId,
  event,
  status: 'pending',
  attempts: 0,
  nextAt: event.createdAt,
  attemptUntil: undefined,
  lastAttempt: undefined,
  createdAt: event.createdAt,
  expiresAt: event.createdAt + 30 * DAY,
  ...change,
});
