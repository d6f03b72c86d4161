import { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { InvocationTarget } from '../lambda/service-function.ts';
import { allowKey, type KeySettings } from './customer-key.ts';

type Props = KeySettings & {
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
      // Six times the function's timeout, as Lambda's own guidance asks.
      visibilityTimeout: Duration.seconds(6 * props.workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
    });
  }

  /** One message an invocation: one that takes long holds up no other. */
  readonly addConsumer = (worker: InvocationTarget, concurrency: number): void =>
    this.consume(worker, this.queue, { batchSize: 1, maxConcurrency: concurrency });

  /** Lambda receives with the role of the function. */
  protected consume(
    worker: InvocationTarget,
    queue: Queue,
    props: { readonly batchSize: number; readonly maxConcurrency: number },
  ): void {
    worker.addEventSource(new SqsEventSource(queue, { ...props, reportBatchItemFailures: true }));
    allowKey(this, this.#keyArn, 'receiveMessage', worker);
  }

  protected allowSending(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
    allowKey(this, this.#keyArn, 'sendMessage', grantee);
  }
}
