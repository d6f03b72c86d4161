import { readBody } from '../platform/body/request-body.ts';
import { PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { isOpenRouterVideo } from './api/read-openrouter-video.ts';
import { createdVideoObject } from './api/video-object.ts';
import { CREATION, videoHandler } from './video-creation.ts';

export const ENVIRONMENT = { ...CREATION, ...PUBLIC_ADDRESS };

export const handler = videoHandler({
  environment: readEnvironment(ENVIRONMENT),
  endpoint: VIDEO_ENDPOINTS.createVideo,
  readForm: (fields, { header }) => (isOpenRouterVideo(fields, header) ? 'openrouter' : undefined),
  readBody: ({ header, body }) => readBody(header('content-type'), body),
  toResponseBody: createdVideoObject,
});
