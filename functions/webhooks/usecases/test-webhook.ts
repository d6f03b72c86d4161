import { randomBytes } from 'node:crypto';
import { DomainError } from '../../platform/domain/errors.ts';
import { newTaskId } from '../../platform/domain/task-id.ts';
import { isEndpointId } from '../domain/webhook-id.ts';
import type { WebhookEndpoints, WebhookSender } from '../domain/webhook-ports.ts';
import type { WebhookEventType } from '../domain/webhooks.ts';
import { endpointNotFound } from './manage-webhooks.ts';

type Ports = {
  readonly endpoints: Pick<WebhookEndpoints, 'find'>;
  readonly sender: Pick<WebhookSender, 'send'>;
};
export type WebhookTest = {
  readonly account: string;
  readonly id: string;
  readonly eventType: WebhookEventType;
};

/** Sends an event of a task that never was, once, and tells the status that came back. */
export const testWebhook = async (
  { endpoints, sender }: Ports,
  { account, id, eventType }: WebhookTest,
  now: number,
): Promise<number> => {
  const endpoint = isEndpointId(id) ? await endpoints.find(account, id) : undefined;
  if (endpoint === undefined) throw endpointNotFound(id);
  const { statusCode, error } = await sender.send(endpoint, {
    id: `evt_${randomBytes(16).toString('hex')}`,
    type: eventType,
    createdAt: now,
    account,
    taskId: newTaskId(now),
  });
  if (statusCode === undefined)
    throw new DomainError('webhook_unreachable', `Webhook endpoint ${id} gave no answer. ${error}`);
  return statusCode;
};
