import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import type { KeySettings } from './customer-key.ts';
import { WorkQueue } from './work-queue.ts';

/** How long the webhook worker may take for one message: a try of 10 seconds, and what is written around it. */
export const WEBHOOK_WORKER_SECONDS = 40;
/** Each hides the message for six times that long: two hours. Then an operator must see to it, and an alarm says so. */
const RECEIVES = 30;

/** Events to tell, and tries to make. */
export class WebhookQueue extends WorkQueue {
  constructor(scope: Construct, id: string, { kmsKeyArn }: KeySettings) {
    super(scope, id, {
      workerTimeoutSeconds: WEBHOOK_WORKER_SECONDS,
      kmsKeyArn,
      maxReceiveCount: RECEIVES,
    });
  }

  readonly send = (): Grant<{ readonly WEBHOOK_QUEUE_URL: string }> => ({
    variables: { WEBHOOK_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.allowSending(grantee);
    },
  });
}
