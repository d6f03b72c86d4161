import { dynamoCharges } from '../billing/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import {
  CHARGES,
  MEDIA,
  readEnvironment,
  TASKS,
  UPSTREAM_STATE,
  WEBHOOK_QUEUE,
} from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { placeWrites } from '../upstream/adapters/dynamo-places.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Media } from './adapters/s3-media.ts';
import { stepHandler } from './adapters/step-queue.ts';
import { failDeadLetter } from './usecases/worker.ts';

export const ENVIRONMENT = { ...TASKS, ...UPSTREAM_STATE, ...CHARGES, ...WEBHOOK_QUEUE, ...MEDIA };
const environment = readEnvironment(ENVIRONMENT);
/** Half of the function's timeout. */
const client = dynamoClient(15_000);
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE, placeWrites(environment.UPSTREAM_TABLE)),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  logger: jsonLogger(),
  now: Date.now,
};

export const handler = stepHandler(dependencies.logger, (message) => failDeadLetter(dependencies, message));
