import { dynamoCharges } from '../billing/adapters/dynamo-charges.ts';
import { dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { storageReturns } from '../billing/adapters/kept-storage.ts';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import {
  AUDIT,
  CHARGES,
  KEYS,
  MEDIA,
  readEnvironment,
  TASKS,
  WEBHOOK_QUEUE,
} from '../platform/runtime/environment.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import { dynamoTaskChanges, dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Media } from './adapters/s3-media.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { deletedVideoObject } from './api/video-object.ts';
import type { TaskDeletions } from './domain/task.ts';
import { deleteVideo } from './usecases/delete-video.ts';

export const ENVIRONMENT = { ...KEYS, ...TASKS, ...CHARGES, ...WEBHOOK_QUEUE, ...MEDIA, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const returnStorage = storageReturns(environment.ACCOUNT_TABLE);
const deletions: TaskDeletions = dynamoTaskChanges(
  environment.TASK_TABLE,
  auditTrail(client, environment.AUDIT_TABLE, logger),
  ({ account, bytes }) => returnStorage(account, bytes),
);
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  deletions,
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  logger,
  now: Date.now,
};

export const handler = jsonEndpoint(VIDEO_ENDPOINTS.deleteVideo, async ({ path, action }) => {
  const id = path.task_id;
  await deleteVideo(dependencies, action, id);
  return deletedVideoObject(id);
});
