import { readBody } from './api/body/request-body.ts';
import { createdVideoObject } from './api/videos/video-object.ts';
import { creationEndpoint } from './composition/video-creation.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = creationEndpoint(
  readEnvironment(ENVIRONMENTS['create-video']),
  ({ header, body }) => readBody(header('content-type'), body),
  createdVideoObject,
);
