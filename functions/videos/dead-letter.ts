import { dynamoCharges } from '../accounts/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../accounts/adapters/dynamo-reservations.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { queueHandler } from '../platform/runtime/queue.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { failDeadLetter } from './usecases/fail-dead-letter.ts';

const environment = readEnvironment(ENVIRONMENTS['dead-letter']);
/** Half of what an invocation has. */
const client = dynamoClient(15_000);
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  logger: jsonLogger(),
  now: Date.now,
};

export const handler = queueHandler(dependencies.logger, (message) => failDeadLetter(dependencies, message));
