import { withOwnModel } from '../catalogue/api/model-field.ts';
import { defaultVideoModel } from '../catalogue/domain/model-aliases.ts';
import { readBody } from '../platform/body/request-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { videoDraftReader, videoFieldNames } from './api/read-video-request.ts';
import { createdVideoObject } from './api/video-object.ts';
import { CREATION, creationHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;
const environment = readEnvironment(ENVIRONMENT);
const { MODEL_ALIASES } = environment;

export const handler = creationHandler({
  environment,
  endpoint: VIDEO_ENDPOINTS.createVideo,
  readFields: async ({ header, body }) =>
    withOwnModel(
      MODEL_ALIASES,
      await readBody(header('content-type'), body),
      defaultVideoModel(MODEL_ALIASES),
    ),
  readDraft: videoDraftReader(namedVideoModels(environment.UPSTREAMS)),
  fieldNames: videoFieldNames,
  toResponseBody: createdVideoObject,
});
