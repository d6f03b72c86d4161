import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { InvocationTarget } from '../lambda/service-function.ts';

type Props = {
  readonly workerTimeoutSeconds: number;
  /** How often a message is tried before it goes to the dead letters. */
  readonly maxReceiveCount: number;
  readonly deadLetterVisibilitySeconds?: number;
};

const PRIVATE = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** Messages for a worker, and those that it could not handle. */
export abstract class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { deadLetterVisibilitySeconds: hidden } = props;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...PRIVATE,
      retentionPeriod: Duration.days(14),
      ...(hidden === undefined ? {} : { visibilityTimeout: Duration.seconds(hidden) }),
    });
    this.queue = new Queue(this, 'Queue', {
      ...PRIVATE,
      retentionPeriod: Duration.days(4),
      // Six times the function's timeout, as Lambda's own guidance asks.
      visibilityTimeout: Duration.seconds(6 * props.workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
    });
  }

  /** One message an invocation: one that takes long holds up no other. */
  readonly addConsumer = (worker: InvocationTarget, concurrency: number): void => {
    worker.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrency,
      }),
    );
  };
}
