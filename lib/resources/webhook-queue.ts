import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';

/** How long the webhook worker may take for one message: a try of 10 seconds, and what is written around it. */
export const WEBHOOK_WORKER_SECONDS = 40;

/** Events to tell, tries to make, and what could not be handled for hours. */
export class WebhookQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Nobody empties it but an operator: an event in it is told to nobody yet, and an alarm says so.
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      // Six times the function's timeout, as Lambda's own guidance asks; thirty times of it are two hours.
      visibilityTimeout: Duration.seconds(6 * WEBHOOK_WORKER_SECONDS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 30 },
    });
  }

  readonly send = (): Grant<{ readonly WEBHOOK_QUEUE_URL: string }> => ({
    variables: { WEBHOOK_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.queue.grant(grantee, 'sqs:SendMessage');
    },
  });

  /** One message an invocation: an endpoint that does not answer holds up no other. */
  readonly addConsumer = (worker: IFunction, concurrency: number): void => {
    worker.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrency,
      }),
    );
  };
}
