import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { DEAD_LETTER_CONCURRENCY } from '../concurrency.ts';
import type { Grant } from '../lambda/grant.ts';
import { WorkQueue } from './work-queue.ts';

/** Each hides the message for six times the worker's timeout: two hours by default, so that a throttled worker fails no paid task. */
const RECEIVES = 10;

type Props = { readonly workerTimeoutSeconds: number };

/** Messages that ask the worker for one step of one task. */
export class StepQueue extends WorkQueue {
  constructor(scope: Construct, id: string, { workerTimeoutSeconds }: Props) {
    super(scope, id, { workerTimeoutSeconds, maxReceiveCount: RECEIVES, deadLetterVisibilitySeconds: 180 });
  }

  readonly send = (): Grant<{ readonly STEP_QUEUE_URL: string }> => ({
    variables: { STEP_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.queue.grant(grantee, 'sqs:SendMessage');
    },
  });

  readonly addDeadLetterConsumer = (deadLetter: IFunction): void => {
    deadLetter.addEventSource(
      new SqsEventSource(this.deadLetters, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: DEAD_LETTER_CONCURRENCY,
      }),
    );
  };
}
