import { AnyPrincipal, Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption, QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DEAD_LETTER_CONCURRENCY } from '../concurrency.ts';
import type { Config } from '../config.ts';
import { allOf, type Grant, type InvocationTarget } from '../lambda/service-function.ts';
import { allowKey } from './customer-key.ts';

type QueueProps = {
  readonly workerTimeoutSeconds: number;
  /** Attempts before a message goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  readonly deadLetterVisibilitySeconds?: number;
};

const PRIVATE = { encryption: QueueEncryption.SQS_MANAGED } as const;

/** A queue for a worker, and the dead-letter queue for messages that it could not handle. */
abstract class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, { kmsKeyArn }: Config, props: QueueProps) {
    super(scope, id);
    this.#keyArn = kmsKeyArn;
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

/** One policy for all queues, because a policy for each would count towards the resources of the stack. */
export const requireTls = (scope: Construct, queues: readonly WorkQueue[]): void => {
  const all = queues.flatMap(({ queue, deadLetters }) => [queue, deadLetters]);
  const policy = new QueuePolicy(scope, 'QueuePolicy', { queues: all });
  policy.document.addStatements(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sqs:*'],
      // The queue that has the policy: SQS rejects statements that name several.
      resources: ['*'],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
};

/** Each receive hides the message for six worker timeouts: two hours in total by default, so that throttling fails no paid task. */
const STEP_RECEIVES = 10;

/** Messages that ask the worker for one step of one task. */
export class StepQueue extends WorkQueue {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, config, {
      workerTimeoutSeconds: config.workerTimeoutSeconds,
      maxReceiveCount: STEP_RECEIVES,
      deadLetterVisibilitySeconds: 180,
    });
  }

  readonly send = (): Grant<{ readonly STEP_QUEUE_URL: string }> => ({
    variables: { STEP_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => this.allowSending(grantee),
  });

  /** Sends messages and reads how many are waiting. */
  readonly sweep = () =>
    allOf(this.send(), {
      variables: {},
      allow: (grantee) => void this.queue.grant(grantee, 'sqs:GetQueueAttributes'),
    });

  readonly addDeadLetterConsumer = (deadLetter: InvocationTarget): void =>
    this.consume(deadLetter, this.deadLetters, { batchSize: 10, maxConcurrency: DEAD_LETTER_CONCURRENCY });
}

/** The time for one message: an attempt takes up to 10 seconds, the rest is for reads and writes. */
export const WEBHOOK_WORKER_SECONDS = 40;
/** Each receive hides the message for six times that long: two hours in total. Then an alarm calls the operator. */
const WEBHOOK_RECEIVES = 30;

/** Events to deliver, and deliveries to attempt. */
export class WebhookQueue extends WorkQueue {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, config, {
      workerTimeoutSeconds: WEBHOOK_WORKER_SECONDS,
      maxReceiveCount: WEBHOOK_RECEIVES,
    });
  }

  readonly send = (): Grant<{ readonly WEBHOOK_QUEUE_URL: string }> => ({
    variables: { WEBHOOK_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => this.allowSending(grantee),
  });
}
