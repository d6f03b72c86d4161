import { modelOfRoute } from '../models/api/native-action.ts';
import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { notTheModel } from '../platform/body/model.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { resolveModel } from '../platform/domain/model-aliases.ts';
import { isOneOf, VIDEO_MODELS } from '../platform/domain/models.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { operationName } from './api/native-operation.ts';
import { readNativeVideoDraft } from './api/native-video-request.ts';
import { creationEndpoint } from './video-creation.ts';

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
