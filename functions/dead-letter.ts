import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoCharges } from './adapters/dynamo-charges.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsWebhooks } from './adapters/sqs-webhooks.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { jsonLogger } from './runtime/logger.ts';
import { queueHandler } from './runtime/queue.ts';
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
