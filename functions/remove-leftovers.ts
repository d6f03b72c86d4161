import type { Context } from 'aws-lambda';
import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { jsonLogger } from './runtime/logger.ts';
import { stopBefore } from './runtime/schedule.ts';
import { removeLeftovers } from './usecases/remove-leftovers.ts';

const environment = readEnvironment(ENVIRONMENTS['remove-leftovers']);
const dependencies = {
  tasks: dynamoTasks(dynamoClient(), environment.TASK_TABLE),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  logger: jsonLogger(),
  now: Date.now,
};

export const handler = (_event: unknown, context: Context): Promise<void> =>
  removeLeftovers({ ...dependencies, stopAt: stopBefore(context) });
