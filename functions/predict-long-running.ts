import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { notTheModel } from './api/body/model.ts';
import { modelOfRoute } from './api/native-action.ts';
import { readIdempotencyKey } from './api/parameters.ts';
import { operationName } from './api/videos/native-operation.ts';
import { readNativeVideoDraft } from './api/videos/native-video-request.ts';
import { logger, nativeEndpoint } from './composition/endpoint.ts';
import { DomainError } from './domain/errors.ts';
import { resolveModel } from './domain/model-aliases.ts';
import { isOneOf, VIDEO_MODELS } from './domain/models.ts';
import { resolveVideoRequest } from './domain/video-request.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { createVideo } from './usecases/create-video.ts';

const environment = readEnvironment(ENVIRONMENTS['predict-long-running']);
const client = dynamoClient();
const dependencies = {
  tasks: dynamoTasks(client, environment.TASK_TABLE),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  logger,
  now: Date.now,
};

export const handler = nativeEndpoint(
  client,
  environment.KEY_TABLE,
  async ({ caller, route, header, body }) => {
    const model = resolveModel(environment.MODEL_ALIASES, modelOfRoute(route));
    if (!isOneOf(VIDEO_MODELS, model))
      throw new DomainError('model_not_found', `model ${notTheModel(VIDEO_MODELS)}`);
    const idempotencyKey = readIdempotencyKey(header('idempotency-key'));
    const draft = readNativeVideoDraft(model, readJsonContent(header('content-type'), body));
    const task = await createVideo(dependencies, caller, resolveVideoRequest(draft), idempotencyKey);
    return ok({ name: operationName(task), done: false });
  },
);
