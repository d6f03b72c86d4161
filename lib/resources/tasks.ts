import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { DEAD_LETTER_CONCURRENCY } from '../concurrency.ts';
import type { Grant } from '../lambda/grant.ts';
import type { InvocationTarget } from '../lambda/service-function.ts';
import type { KeySettings } from './customer-key.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';
import { WorkQueue } from './work-queue.ts';

/** One item per task, which is the source of truth. */
export class TaskTable extends ServiceTable<{ readonly TASK_TABLE: string }> {
  protected readonly variables = { TASK_TABLE: this.table.tableName };

  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'id', { timeToLiveAttribute: 'expires' });
    this.addAccountIndex({ name: 'position', type: AttributeType.STRING });
    this.addDueIndex('step', 'sweeps', 'deadline');
  }

  readonly find = () => this.grant(['GetItem']);
  readonly list = () => this.grant(['GetItem'], 'by-account');
  readonly create = () => this.grant(['GetItem', 'PutItem']);
  /** Ends a task, which stays in the table. */
  readonly cancel = () => this.grant(['GetItem', 'PutItem']);
  readonly advance = () => this.grant(['GetItem', 'PutItem', 'DeleteItem']);
  /** Advances tasks, calls tasks that wait in line, and counts the slow steps of all accounts. */
  readonly work = () => this.grant(['GetItem', 'PutItem', 'DeleteItem', 'UpdateItem'], 'due');
  readonly sweep = () => this.grant(['GetItem', 'UpdateItem'], 'due');
}

/** Each receive hides the message for six worker timeouts: two hours in total by default, so that throttling fails no paid task. */
const MAX_RECEIVES = 10;

/** Messages that ask the worker for one step of one task. */
export class StepQueue extends WorkQueue {
  constructor(
    scope: Construct,
    id: string,
    { workerTimeoutSeconds, kmsKeyArn }: KeySettings & { readonly workerTimeoutSeconds: number },
  ) {
    super(scope, id, {
      workerTimeoutSeconds,
      kmsKeyArn,
      maxReceiveCount: MAX_RECEIVES,
      deadLetterVisibilitySeconds: 180,
    });
  }

  readonly send = (): Grant<{ readonly STEP_QUEUE_URL: string }> => ({
    variables: { STEP_QUEUE_URL: this.queue.queueUrl },
    allow: (grantee) => {
      this.allowSending(grantee);
    },
  });

  /** Sends messages and reads how many are waiting. */
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
