import { dynamoCharges } from '../accounts/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../accounts/adapters/dynamo-reservations.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { dynamoSlowSteps } from '../platform/aws/dynamo-slow-steps.ts';
import { s3Client } from '../platform/aws/s3.ts';
import { workerShares } from '../platform/domain/fair-share.ts';
import {
  CHARGES,
  MEDIA,
  PRICES,
  readEnvironment,
  STEP_QUEUE,
  seconds,
  TASKS,
  UPSTREAM,
  WEBHOOK_QUEUE,
  wholeNumber,
} from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { upstreamVideos } from '../upstream/adapters/upstream-videos.ts';
import { upstreamPauses } from '../upstream/domain/upstream-pauses.ts';
import { observedVideos, upstreamFrom } from '../upstream/upstream.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoQueueAges } from './adapters/dynamo-queue-ages.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Media } from './adapters/s3-media.ts';
import { queueHandler, sqsSteps } from './adapters/sqs-steps.ts';
import { advanceTask } from './usecases/advance-task.ts';
import { queueWatcher } from './usecases/watch-queue.ts';

export const ENVIRONMENT = {
  ...TASKS,
  ...CHARGES,
  ...STEP_QUEUE,
  ...WEBHOOK_QUEUE,
  ...MEDIA,
  ...UPSTREAM,
  ...PRICES,
  WORKER_CONCURRENCY: wholeNumber,
  FETCH_CLAIM_SECONDS: seconds,
  VIDEO_RETENTION_SECONDS: seconds,
};
const environment = readEnvironment(ENVIRONMENT);
const fetchLeaseMs = environment.FETCH_CLAIM_SECONDS * 1000;
/** Less than an invocation has, with time for what it does besides. */
const client = dynamoClient(fetchLeaseMs * 0.6);
/** For counts that a task can do without: nobody waits for them. */
const impatientClient = dynamoClient();
const logger = jsonLogger();

const worker = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  slowSteps: dynamoSlowSteps(
    impatientClient,
    environment.TASK_TABLE,
    workerShares(environment.WORKER_CONCURRENCY),
  ),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  // A file that takes longer than the claim would be fetched twice at once.
  generator: observedVideos(
    { logger, now: Date.now },
    upstreamVideos(upstreamFrom(environment), fetchLeaseMs * 0.9),
  ),
  pauses: upstreamPauses(Date.now),
  logger,
  now: Date.now,
  random: Math.random,
  prices: environment.PRICES,
  fetchLeaseMs,
  videoRetentionMs: environment.VIDEO_RETENTION_SECONDS * 1000,
};

const watch = queueWatcher({
  ages: dynamoQueueAges(impatientClient, environment.TASK_TABLE),
  logger,
  now: Date.now,
});

export const handler = queueHandler(logger, async (message, receives) => {
  await Promise.all([watch(message, receives), advanceTask(worker, message)]);
});
