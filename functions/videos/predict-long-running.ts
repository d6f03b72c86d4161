import { readRouteModel } from '../catalogue/api/model-actions.ts';
import { notTheModel, ownModelName } from '../catalogue/api/model-field.ts';
import { VIDEO_MODELS } from '../catalogue/domain/models.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { isOneOf } from '../platform/domain/text.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { operationName, readNativeVideoDraft } from './api/native-video.ts';
import { CREATION, creationHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;
const environment = readEnvironment(ENVIRONMENT);

export const handler = creationHandler({
  environment,
  endpoint: ALTERNATIVE_VIDEO_ENDPOINTS.predictLongRunning,
  readFields: ({ header, body }) => readJsonContent(header('content-type'), body),
  readDraft: (fields, { route, noteAlias }) => {
    const model = ownModelName(environment.MODEL_NAMES.aliases, readRouteModel(route), noteAlias);
    if (!isOneOf(VIDEO_MODELS, model))
      throw new DomainError(
        'model_not_found',
        `model ${notTheModel(namedVideoModels(environment.UPSTREAMS))}`,
      );
    return readNativeVideoDraft(model, fields);
  },
  toResponseBody: (task) => ({ name: operationName(task), done: false }),
});
