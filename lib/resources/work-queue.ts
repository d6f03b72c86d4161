import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { InvocationTarget } from '../lambda/service-function.ts';
import { allowKey, type KeySettings } from './customer-key.ts';

type Props = KeySettings & {
  readonly workerTimeoutSeconds: number;
  /** Attempts before a message goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  readonly deadLetterVisibilitySeconds?: number;
};

const PRIVATE = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** A queue for a worker, and the dead-letter queue for messages that it could not handle. */
export abstract class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.#keyArn = props.kmsKeyArn;
    const { deadLetterVisibilitySeconds: hidden } = props;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...PRIVATE,
      retentionPeriod: Duration.days(14),
      ...(hidden === undefined ? {} : { visibilityTimeout: Duration.seconds(hidden) }),
    });
    this.queue = new Queue(this, 'Queue', {
      ...PRIVATE,
      retentionPeriod: Duration.days(4),
      // AWS recommends six times the timeout of the function.
      visibilityTimeout: Duration.seconds(6 * props.workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
    });
  }

  /** Handles one message per invocation, so that a slow message does not delay others. */
  readonly addConsumer = (worker: InvocationTarget, concurrency: number): void =>
    this.consume(worker, this.queue, { batchSize: 1, maxConcurrency: concurrency });

  protected consume(
    worker: InvocationTarget,
    queue: Queue,
    props: { readonly batchSize: number; readonly maxConcurrency: number },
  ): void {
    worker.addEventSource(new SqsEventSource(queue, { ...props, reportBatchItemFailures: true }));
    // Lambda receives messages with the role of the function.
    allowKey(this, this.#keyArn, 'receiveMessage', worker);
  }

  protected allowSending(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
    allowKey(this, this.#keyArn, 'sendMessage', grantee);
  }
}
