import { readJsonContent } from './api/body/json-body.ts';
import { createdGenerationObject } from './api/videos/video-object.ts';
import { creationEndpoint } from './composition/video-creation.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = creationEndpoint(
  readEnvironment(ENVIRONMENTS['create-generation']),
  ({ header, body }) => readJsonContent(header('content-type'), body),
  createdGenerationObject,
);
