import type { Construct } from 'constructs';
import { DEAD_LETTER_CONCURRENCY } from '../concurrency.ts';
import type { Grant } from '../lambda/grant.ts';
import type { InvocationTarget } from '../lambda/service-function.ts';
import type { KeySettings } from './customer-key.ts';
import { WorkQueue } from './work-queue.ts';

/** Each hides the message for six times the worker's timeout: two hours by default, so that a throttled worker fails no paid task. */
const RECEIVES = 10;

type Props = KeySettings & { readonly workerTimeoutSeconds: number };

/** Messages that ask the worker for one step of one task. */
export class StepQueue extends WorkQueue {
  constructor(scope: Construct, id: string, { workerTimeoutSeconds, kmsKeyArn }: Props) {
    super(scope, id, {
      workerTimeoutSeconds,
      kmsKeyArn,
      maxReceiveCount: RECEIVES,
      deadLetterVisibilitySeconds: 180,
    });
  }

  readonly send = (): Grant<{ readonly STEP_QUEUE_URL: string }> => ({
    variables: { STEP_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.allowSending(grantee);
    },
  });

  /** To send, and to ask how many messages wait. */
  readonly sweep = (): Grant<{ readonly STEP_QUEUE_URL: string }> => {
    const { variables, allow } = this.send();
    return {
      variables,
      allow: (grantee) => {
        allow(grantee);
        this.queue.grant(grantee, 'sqs:GetQueueAttributes');
      },
    };
  };

  readonly addDeadLetterConsumer = (deadLetter: InvocationTarget): void =>
    this.consume(deadLetter, this.deadLetters, { batchSize: 10, maxConcurrency: DEAD_LETTER_CONCURRENCY });
}
