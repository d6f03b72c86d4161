import { withOwnModel } from '../catalogue/api/model-field.ts';
import { defaultVideoModel } from '../catalogue/domain/model-aliases.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { createdGenerationObject } from './api/generation-object.ts';
import { videoDraftReader, videoFieldNames } from './api/read-video-request.ts';
import { CREATION, creationHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;
const environment = readEnvironment(ENVIRONMENT);
const { MODEL_ALIASES } = environment;

export const handler = creationHandler({
  environment,
  endpoint: ALTERNATIVE_VIDEO_ENDPOINTS.createGeneration,
  readFields: ({ header, body }) =>
    withOwnModel(
      MODEL_ALIASES,
      readJsonContent(header('content-type'), body),
      defaultVideoModel(MODEL_ALIASES),
    ),
  readDraft: videoDraftReader(namedVideoModels(environment.UPSTREAMS)),
  fieldNames: videoFieldNames,
  toResponseBody: createdGenerationObject,
});
