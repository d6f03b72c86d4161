import type { Context } from 'aws-lambda';
import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { jsonLogger } from './runtime/logger.ts';
import { stopBefore } from './runtime/schedule.ts';
import { sweep } from './usecases/sweep.ts';

const environment = readEnvironment(ENVIRONMENTS.sweeper);
const dependencies = {
  tasks: dynamoTasks(dynamoClient(), environment.TASK_TABLE),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  logger: jsonLogger(),
  now: Date.now,
  graceMs: environment.SWEEP_GRACE_SECONDS * 1000,
};

export const handler = (_event: unknown, context: Context): Promise<void> =>
  sweep({ ...dependencies, stopAt: stopBefore(context) });
