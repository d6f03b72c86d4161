import type { WebhookMessage, WebhookQueue } from '../domain/webhook-ports.ts';
import { sqsClient, sqsQueue } from './sqs-queue.ts';

/** One account's messages cannot hold up another's; within an account, the shares of its endpoints do the same. */
const accountIn = (message: WebhookMessage): string =>
  message.kind === 'event' ? message.event.account : message.delivery.account;

export const sqsWebhooks = (queueUrl: string, client = sqsClient()): WebhookQueue =>
  sqsQueue(queueUrl, accountIn, client);
