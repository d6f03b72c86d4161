import { sqsClient, sqsQueue } from '../../platform/aws/sqs-queue.ts';
import type { WebhookMessage, WebhookQueue } from '../domain/webhook-ports.ts';

/** No account has a name with a colon. */
const SLOW_GROUP = 'slow:tries';

/**
 * One account's messages cannot hold up another's. Tries that may take long are one group together: the queue prefers
 * all others to them, even where many accounts have some and none has enough to be noticed.
 */
const groupOf = (message: WebhookMessage): string => {
  if (message.kind === 'event') return message.event.account;
  return message.isPrompt === true ? message.delivery.account : SLOW_GROUP;
};

export const sqsWebhooks = (queueUrl: string, client = sqsClient()): WebhookQueue =>
  sqsQueue(queueUrl, groupOf, client);
