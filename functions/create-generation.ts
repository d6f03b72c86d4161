import { readJsonContent } from './api/body/json-body.ts';
import { withOwnModel } from './api/body/model.ts';
import { readVideoDraft } from './api/videos/create-video.ts';
import { createdGenerationObject } from './api/videos/video-object.ts';
import { endpoint } from './composition/endpoint.ts';
import { creationEndpoint } from './composition/video-creation.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

const environment = readEnvironment(ENVIRONMENTS['create-generation']);

export const handler = creationEndpoint({
  environment,
  endpoint,
  readFields: ({ header, body }) =>
    withOwnModel(environment.MODEL_ALIASES, readJsonContent(header('content-type'), body)),
  readDraft: readVideoDraft,
  encode: createdGenerationObject,
});
