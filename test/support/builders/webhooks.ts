import type { WebhookEvent } from '../../../functions/domain/webhooks.ts';

export const webhookEvent = (given: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: 'evt_1',
  type: 'video.completed',
  createdAt: 1_790_000_000_999,
  account: 'acme',
  taskId: 'task_1',
  ...given,
});
