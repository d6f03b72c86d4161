import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { createdGenerationObject } from './api/generation-object.ts';
import { CREATION, videoHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;

export const handler = videoHandler({
  environment: readEnvironment(ENVIRONMENT),
  endpoint: ALTERNATIVE_VIDEO_ENDPOINTS.createGeneration,
  readBody: ({ header, body }) => readJsonContent(header('content-type'), body),
  toResponseBody: createdGenerationObject,
});
