import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { withOwnModel } from './api/body/model.ts';
import { readBody } from './api/body/request-body.ts';
import { readIdempotencyKey } from './api/parameters.ts';
import { readVideoDraft } from './api/videos/create-video.ts';
import { createdVideoObject, pollHints } from './api/videos/video-object.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { resolveVideoRequest } from './domain/video-request.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { createVideo } from './usecases/create-video.ts';

const { KEY_TABLE, TASK_TABLE, STEP_QUEUE_URL, MEDIA_BUCKET, MODEL_ALIASES } = readEnvironment(
  ENVIRONMENTS['create-video'],
);
const client = dynamoClient();
const dependencies = {
  tasks: dynamoTasks(client, TASK_TABLE),
  queue: sqsSteps(STEP_QUEUE_URL),
  media: s3Media(s3Client(), MEDIA_BUCKET),
  logger,
  now: Date.now,
};

export const handler = endpoint(client, KEY_TABLE, async ({ caller, header, body }) => {
  const idempotencyKey = readIdempotencyKey(header('idempotency-key'));
  const fields = withOwnModel(MODEL_ALIASES, await readBody(header('content-type'), body));
  const request = resolveVideoRequest(readVideoDraft(fields));
  const task = await createVideo(dependencies, caller, request, idempotencyKey);
  return ok(createdVideoObject(task), pollHints(task));
});
