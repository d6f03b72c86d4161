import type { WebhookMessage, WebhookQueue } from '../domain/webhook-ports.ts';
import { sqsClient, sqsQueue } from './sqs-queue.ts';

/** Neither an account with many events nor an endpoint that does not answer can hold up another's messages. */
const groupOf = (message: WebhookMessage): string =>
  message.kind === 'event' ? message.event.account : message.delivery.endpointId;

export const sqsWebhooks = (queueUrl: string, client = sqsClient()): WebhookQueue =>
  sqsQueue(queueUrl, groupOf, client);
