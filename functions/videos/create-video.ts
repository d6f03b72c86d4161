import { readBody } from '../platform/body/request-body.ts';
import { CALLBACKS, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { isOpenRouterVideo, readCallbackUrl } from './api/read-openrouter-video.ts';
import { createdVideoObject } from './api/video-object.ts';
import { CREATION, videoHandler } from './video-creation.ts';

export const ENVIRONMENT = { ...CREATION, ...PUBLIC_ADDRESS, ...CALLBACKS };
const environment = readEnvironment(ENVIRONMENT);

export const handler = videoHandler({
  environment,
  endpoint: VIDEO_ENDPOINTS.createVideo,
  readForm: (fields, { header }) => (isOpenRouterVideo(fields, header) ? 'openrouter' : undefined),
  readCallbackUrl: (fields, form) =>
    form === 'openrouter' ? readCallbackUrl(fields, environment.HAS_WEBHOOKS) : undefined,
  readBody: ({ header, body }) => readBody(header('content-type'), body),
  toResponseBody: createdVideoObject,
});
