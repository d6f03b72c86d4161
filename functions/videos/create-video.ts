import { endpoint } from '../platform/authentication/endpoint.ts';
import { readBody } from '../platform/body/request-body.ts';
import { withOwnModel } from '../platform/body/schema.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { readVideoDraft, videoFieldNames } from './api/create-video.ts';
import { createdVideoObject } from './api/video-object.ts';
import { CREATION, creationHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;
const environment = readEnvironment(ENVIRONMENT);

export const handler = creationHandler({
  environment,
  endpoint,
  readFields: async ({ header, body }) =>
    withOwnModel(environment.MODEL_ALIASES, await readBody(header('content-type'), body)),
  readDraft: readVideoDraft,
  fieldNames: videoFieldNames,
  toResponseBody: createdVideoObject,
});
