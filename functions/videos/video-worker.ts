import { dynamoCharges } from '../billing/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { PRICES } from '../catalogue/settings.ts';
import { toCommonType } from '../images/adapters/convert-image.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { dynamoSlowSteps } from '../platform/aws/dynamo-slow-steps.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { workerShares } from '../platform/domain/fair-share.ts';
import {
  CHARGES,
  MEDIA,
  readEnvironment,
  STEP_QUEUE,
  seconds,
  TASKS,
  WEBHOOK_QUEUE,
  wholeNumber,
} from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { placeWrites } from '../upstream/adapters/dynamo-places.ts';
import { upstreamPauses } from '../upstream/domain/process-pauses.ts';
import { createPool, createVideoGenerators } from '../upstream/generators.ts';
import { UPSTREAMS } from '../upstream/settings.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { dynamoWaitingLine } from './adapters/dynamo-waiting-line.ts';
import { dynamoWorkerLoads } from './adapters/dynamo-worker-loads.ts';
import { s3Media, s3Retention } from './adapters/s3-media.ts';
import { dynamoQueueAges, dynamoRetirements, sqsSteps, stepHandler } from './adapters/step-queue.ts';
import { advanceTask } from './usecases/advance-task.ts';
import { loadWatch } from './usecases/watch-load.ts';
import { queueWatcher } from './usecases/watch-queue.ts';

export const ENVIRONMENT = {
  ...TASKS,
  ...CHARGES,
  ...STEP_QUEUE,
  ...WEBHOOK_QUEUE,
  ...MEDIA,
  ...UPSTREAMS,
  ...PRICES,
  WORKER_CONCURRENCY: wholeNumber,
  FETCH_CLAIM_SECONDS: seconds,
  VIDEO_RETENTION_SECONDS: seconds,
};
const environment = readEnvironment(ENVIRONMENT);
const fetchLeaseMs = environment.FETCH_CLAIM_SECONDS * 1000;
/** Less than the function's timeout, so that time is left for the rest. */
const client = dynamoClient(fetchLeaseMs * 0.6);
/** For counts that are not worth a long wait. */
const countClient = dynamoClient();
const s3 = s3Client();
const logger = jsonLogger();

const queue = queueWatcher({
  ages: dynamoQueueAges(countClient, environment.TASK_TABLE),
  logger,
  now: Date.now,
});

const worker = {
  tasks: dynamoTasks(client, environment.TASK_TABLE, placeWrites(environment.UPSTREAM_TABLE)),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  slowSteps: dynamoSlowSteps(
    countClient,
    environment.TASK_TABLE,
    workerShares(environment.WORKER_CONCURRENCY),
  ),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3, environment.MEDIA_BUCKET),
  retention: s3Retention(s3, environment.MEDIA_BUCKET),
  // A download that outlasted its claim would run twice at the same time.
  generator: createVideoGenerators(
    environment,
    { fileTimeoutMs: fetchLeaseMs * 0.9, convert: toCommonType },
    { logger, now: Date.now },
  ),
  pool: createPool(client, environment, { logger, now: Date.now }),
  retirements: dynamoRetirements(client, environment.TASK_TABLE, environment.UPSTREAMS),
  line: dynamoWaitingLine(client, environment, logger),
  load: loadWatch({ loads: dynamoWorkerLoads(countClient, environment.TASK_TABLE), logger, now: Date.now }),
  meter: queue.meter,
  pauses: upstreamPauses(Date.now),
  logger,
  now: Date.now,
  random: Math.random,
  prices: environment.PRICES,
  fetchLeaseMs,
  videoRetentionMs: environment.VIDEO_RETENTION_SECONDS * 1000,
};

export const handler = stepHandler(logger, (message, receives) =>
  queue.handle(message, receives, () => advanceTask(worker, message)),
);
