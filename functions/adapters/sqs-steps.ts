import type { StepQueue } from '../domain/ports.ts';
import { sqsClient, sqsQueue } from './sqs-queue.ts';

/** One account's messages cannot hold up another's. */
export const sqsSteps = (queueUrl: string, client = sqsClient()): StepQueue =>
  sqsQueue(queueUrl, ({ account }) => account, client);
