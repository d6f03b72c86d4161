import { dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import {
  KEYS,
  RESERVATIONS,
  readEnvironment,
  TASKS,
  WEBHOOK_QUEUE,
} from '../platform/runtime/environment.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { videoObject } from './api/video-object.ts';
import { cancelVideo } from './usecases/cancel-video.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...RESERVATIONS, ...WEBHOOK_QUEUE };
const environment = readEnvironment(ENVIRONMENT);
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  accounts: dynamoReservations(client, environment),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  logger,
  now: Date.now,
};

export const handler = jsonEndpoint(VIDEO_ENDPOINTS.cancelVideo, async ({ caller, path }) =>
  videoObject(await cancelVideo(dependencies, caller.account, path.task_id)),
);
