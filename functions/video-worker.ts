import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoCharges } from './adapters/dynamo-charges.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import { dynamoSlowSteps } from './adapters/dynamo-slow-steps.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { sqsWebhooks } from './adapters/sqs-webhooks.ts';
import { upstreamVideos } from './adapters/upstream/upstream-videos.ts';
import { observedVideos, upstreamFrom } from './composition/upstream.ts';
import { workerShares } from './domain/share.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { jsonLogger } from './runtime/logger.ts';
import { queueHandler } from './runtime/queue.ts';
import { advanceTask } from './usecases/advance-task.ts';

const environment = readEnvironment(ENVIRONMENTS['video-worker']);
const client = dynamoClient();
const fetchLeaseMs = environment.FETCH_CLAIM_SECONDS * 1000;
const logger = jsonLogger();

const worker = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  slowSteps: dynamoSlowSteps(client, environment.TASK_TABLE, workerShares(environment.WORKER_CONCURRENCY)),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  // A file that takes longer than the claim would be fetched twice at once.
  generator: observedVideos(
    { logger, now: Date.now },
    upstreamVideos(upstreamFrom(environment), fetchLeaseMs * 0.9),
  ),
  logger,
  now: Date.now,
  random: Math.random,
  prices: environment.PRICES,
  fetchLeaseMs,
  videoRetentionMs: environment.VIDEO_RETENTION_SECONDS * 1000,
};

export const handler = queueHandler(logger, (message) => advanceTask(worker, message));
