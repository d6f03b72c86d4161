import type { Context } from 'aws-lambda';
import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoDueReservations } from './adapters/dynamo-due-reservations.ts';
import { dynamoQueueAges } from './adapters/dynamo-queue-ages.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import { dynamoDueTasks, dynamoTasks } from './adapters/dynamo-tasks.ts';
import { dynamoWebhookDeliveries } from './adapters/dynamo-webhook-deliveries.ts';
import { sqsDepth, sqsSteps } from './adapters/sqs-steps.ts';
import { sqsWebhooks } from './adapters/sqs-webhooks.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { jsonLogger } from './runtime/logger.ts';
import { allDone, stopBefore } from './runtime/schedule.ts';
import { releaseOrphans } from './usecases/release-orphans.ts';
import { sweep } from './usecases/sweep.ts';
import { sweepDeliveries } from './usecases/sweep-deliveries.ts';

const environment = readEnvironment(ENVIRONMENTS.sweeper);
const client = dynamoClient();
const logger = jsonLogger();
const dependencies = {
  tasks: {
    ...dynamoTasks(client, environment.TASK_TABLE),
    ...dynamoDueTasks(client, environment.TASK_TABLE, logger),
  },
  accounts: {
    ...dynamoReservations(client, environment),
    ...dynamoDueReservations(client, environment.RESERVATION_TABLE, logger),
  },
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  depth: sqsDepth(environment.STEP_QUEUE_URL),
  ages: dynamoQueueAges(client, environment.TASK_TABLE),
  deliveries: dynamoWebhookDeliveries(client, environment.WEBHOOK_DELIVERY_TABLE, logger),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  logger,
  now: Date.now,
  graceMs: environment.SWEEP_GRACE_SECONDS * 1000,
};

export const handler = async (_event: unknown, context: Context): Promise<void> => {
  const stopAt = stopBefore(context);
  const run = { ...dependencies, stopAt };
  await allDone([sweep(run), sweepDeliveries(run), releaseOrphans(run)]);
};
