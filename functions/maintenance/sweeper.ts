import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { dynamoDueReservations, dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { VIDEO_MODELS } from '../catalogue/domain/models.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import {
  RESERVATIONS,
  readEnvironment,
  STEP_QUEUE,
  seconds,
  TASKS,
  text,
  WEBHOOK_QUEUE,
  wholeNumber,
} from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { allDone, stopBefore } from '../platform/runtime/queue.ts';
import { dynamoPool } from '../upstream/adapters/dynamo-pool.ts';
import { UPSTREAM_LIST } from '../upstream/settings.ts';
import { dynamoDueTasks } from '../videos/adapters/dynamo-task-lists.ts';
import { dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import { dynamoWaitingLine } from '../videos/adapters/dynamo-waiting-line.ts';
import { dynamoWorkerLoads } from '../videos/adapters/dynamo-worker-loads.ts';
import { dynamoQueueAges, sqsDepth, sqsSteps } from '../videos/adapters/step-queue.ts';
import { serveLines } from '../videos/usecases/serve-lines.ts';
import { sweep } from '../videos/usecases/sweep-tasks.ts';
import { dynamoWebhookDeliveries } from '../webhooks/adapters/dynamo-webhook-deliveries.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { sweepDeliveries } from '../webhooks/usecases/sweep-deliveries.ts';
import { sweepReservations } from './usecases/sweep-reservations.ts';

export const ENVIRONMENT = {
  ...TASKS,
  ...RESERVATIONS,
  ...UPSTREAM_LIST,
  ...STEP_QUEUE,
  ...WEBHOOK_QUEUE,
  /** Absent without the feature webhooks. */
  WEBHOOK_DELIVERY_TABLE: z.optional(text),
  SWEEP_GRACE_SECONDS: seconds,
  MAX_QUEUE_SECONDS: seconds,
  WORKER_CONCURRENCY: wholeNumber,
};
const environment = readEnvironment(ENVIRONMENT);
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
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  logger,
  now: Date.now,
  graceMs: environment.SWEEP_GRACE_SECONDS * 1000,
};

const { UPSTREAMS: upstreams, UPSTREAM_TABLE } = environment;
/** A single upstream without limits has no state. */
const readState =
  UPSTREAM_TABLE === ''
    ? async () => ({ upstreams: new Map(), lines: new Map() })
    : dynamoPool(client, UPSTREAM_TABLE, { upstreams, models: VIDEO_MODELS, logger }).read;
const lines = {
  line: dynamoWaitingLine(client, environment, logger),
  upstreams,
  readState,
  loads: dynamoWorkerLoads(client, environment.TASK_TABLE),
  workers: environment.WORKER_CONCURRENCY,
  maxWaitMs: environment.MAX_QUEUE_SECONDS * 1000,
};

const { WEBHOOK_DELIVERY_TABLE } = environment;
const deliveries =
  WEBHOOK_DELIVERY_TABLE === undefined
    ? undefined
    : dynamoWebhookDeliveries(client, WEBHOOK_DELIVERY_TABLE, logger);

export const handler = async (_event: unknown, context: Context): Promise<void> => {
  const stopAt = stopBefore(context);
  const run = { ...dependencies, stopAt };
  await allDone([
    sweep(run),
    ...(deliveries === undefined ? [] : [sweepDeliveries({ ...run, deliveries })]),
    sweepReservations(run),
    serveLines({ ...run, ...lines }),
  ]);
};
