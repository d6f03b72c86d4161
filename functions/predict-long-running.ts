import { readJsonContent } from './api/body/json-body.ts';
import { notTheModel } from './api/body/model.ts';
import { modelOfRoute } from './api/native-action.ts';
import { operationName } from './api/videos/native-operation.ts';
import { readNativeVideoDraft } from './api/videos/native-video-request.ts';
import { nativeEndpoint } from './composition/endpoint.ts';
import { creationEndpoint } from './composition/video-creation.ts';
import { DomainError } from './domain/errors.ts';
import { resolveModel } from './domain/model-aliases.ts';
import { isOneOf, VIDEO_MODELS } from './domain/models.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

const environment = readEnvironment(ENVIRONMENTS['predict-long-running']);

export const handler = creationEndpoint({
  environment,
  endpoint: nativeEndpoint,
  readFields: ({ header, body }) => readJsonContent(header('content-type'), body),
  readDraft: (fields, { route }) => {
    const model = resolveModel(environment.MODEL_ALIASES, modelOfRoute(route));
    if (!isOneOf(VIDEO_MODELS, model))
      throw new DomainError('model_not_found', `model ${notTheModel(VIDEO_MODELS)}`);
    return readNativeVideoDraft(model, fields);
  },
  encode: (task) => ({ name: operationName(task), done: false }),
});
