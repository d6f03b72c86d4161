import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoCharges } from './adapters/dynamo-charges.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsWebhooks } from './adapters/sqs-webhooks.ts';
import { deletedVideoObject } from './api/videos/video-object.ts';
import { endpoint } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { deleteVideo } from './usecases/delete-video.ts';

const environment = readEnvironment(ENVIRONMENTS['delete-video']);
const client = dynamoClient();
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  charges: dynamoCharges(client, environment),
  accounts: dynamoReservations(client, environment),
  webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  now: Date.now,
};

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, path }) => {
  const id = path('task_id');
  await deleteVideo(dependencies, caller.account, id);
  return ok(deletedVideoObject(id));
});
