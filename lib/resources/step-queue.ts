import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';

type Props = { readonly workerTimeoutSeconds: number };

/** Messages that ask the worker for one step of one task, and those that it could not handle. */
export class StepQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(180),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      // Six times the function's timeout, as Lambda's own guidance asks.
      visibilityTimeout: Duration.seconds(6 * props.workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
  }

  readonly send = (): Grant<{ readonly STEP_QUEUE_URL: string }> => ({
    variables: { STEP_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.queue.grant(grantee, 'sqs:SendMessage');
    },
  });

  /** One message an invocation: a slow step then holds up no other. */
  readonly addConsumer = (worker: IFunction, concurrency: number): void => {
    worker.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrency,
      }),
    );
  };

  readonly addDeadLetterConsumer = (deadLetter: IFunction): void => {
    deadLetter.addEventSource(
      new SqsEventSource(this.deadLetters, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: 2,
      }),
    );
  };
}
