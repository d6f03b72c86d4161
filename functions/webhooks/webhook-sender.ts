import { LOCAL_ENVIRONMENT, readEnvironment } from '../platform/runtime/environment.ts';
import { webhookSender } from './adapters/webhook-sender.ts';
import type { WebhookSender } from './domain/webhook-ports.ts';
import type { WebhookUrlRules } from './domain/webhook-url.ts';

/** Which addresses an endpoint may have where this function runs. */
export const webhookUrlRules = (): WebhookUrlRules => ({
  allowLoopbackHttp: readEnvironment(LOCAL_ENVIRONMENT).WEBHOOK_LOOPBACK === 'true',
});

export const webhookSenderHere = (): WebhookSender => webhookSender({ ...webhookUrlRules(), now: Date.now });
