import { readBody } from '../platform/body/request-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { createdVideoObject } from './api/video-object.ts';
import { CREATION, videoHandler } from './video-creation.ts';

export const ENVIRONMENT = CREATION;

export const handler = videoHandler({
  environment: readEnvironment(ENVIRONMENT),
  endpoint: VIDEO_ENDPOINTS.createVideo,
  readBody: ({ header, body }) => readBody(header('content-type'), body),
  toResponseBody: createdVideoObject,
});
