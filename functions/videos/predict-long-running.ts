import { readRouteModel } from '../models/api/model-actions.ts';
import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { notTheModel } from '../platform/body/schema.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { resolveModel } from '../platform/domain/model-aliases.ts';
import { isOneOf, VIDEO_MODELS } from '../platform/domain/models.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import { operationName, readNativeVideoDraft } from './api/native-video.ts';
import { CREATION, creationHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;
const environment = readEnvironment(ENVIRONMENT);

export const handler = creationHandler({
  environment,
  endpoint: nativeEndpoint,
  readFields: ({ header, body }) => readJsonContent(header('content-type'), body),
  readDraft: (fields, { route }) => {
    const model = resolveModel(environment.MODEL_ALIASES, readRouteModel(route));
    if (!isOneOf(VIDEO_MODELS, model))
      throw new DomainError(
        'model_not_found',
        `model ${notTheModel(namedVideoModels(environment.UPSTREAMS))}`,
      );
    return readNativeVideoDraft(model, fields);
  },
  toResponseBody: (task) => ({ name: operationName(task), done: false }),
});
