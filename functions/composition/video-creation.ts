import { dynamoClient } from '../adapters/aws-clients.ts';
import { dynamoTasks } from '../adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from '../adapters/s3-media.ts';
import { sqsSteps } from '../adapters/sqs-steps.ts';
import type { BodyFields } from '../api/body/fields.ts';
import { withOwnModel } from '../api/body/model.ts';
import { readIdempotencyKey } from '../api/parameters.ts';
import { readVideoDraft } from '../api/videos/create-video.ts';
import { pollHints } from '../api/videos/video-object.ts';
import type { Task } from '../domain/task.ts';
import { resolveVideoRequest } from '../domain/video-request.ts';
import type { ENVIRONMENTS, readEnvironment } from '../runtime/environment.ts';
import { type AccountRequest, ok } from '../runtime/http.ts';
import { createVideo } from '../usecases/create-video.ts';
import { endpoint, logger } from './endpoint.ts';

type Environment = ReturnType<typeof readEnvironment<(typeof ENVIRONMENTS)['create-video']>>;

/** An endpoint that accepts a video task; such endpoints differ in what they read and how they tell. */
export const creationEndpoint = (
  environment: Environment,
  read: (request: AccountRequest) => BodyFields | Promise<BodyFields>,
  encode: (task: Task) => unknown,
) => {
  const client = dynamoClient();
  const dependencies = {
    tasks: dynamoTasks(client, environment.TASK_TABLE),
    queue: sqsSteps(environment.STEP_QUEUE_URL),
    media: s3Media(s3Client(), environment.MEDIA_BUCKET),
    logger,
    now: Date.now,
  };
  return endpoint(client, environment.KEY_TABLE, async (request) => {
    const idempotencyKey = readIdempotencyKey(request.header('idempotency-key'));
    const fields = withOwnModel(environment.MODEL_ALIASES, await read(request));
    const wanted = resolveVideoRequest(readVideoDraft(fields));
    const task = await createVideo(dependencies, request.caller, wanted, idempotencyKey);
    return ok(encode(task), pollHints(task));
  });
};
