import { endpoint } from '../platform/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { withOwnModel } from '../platform/body/model.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { readVideoDraft } from './api/create-video.ts';
import { createdGenerationObject } from './api/video-object.ts';
import { creationEndpoint } from './video-creation.ts';

const environment = readEnvironment(ENVIRONMENTS['create-generation']);

export const handler = creationEndpoint({
  environment,
  endpoint,
  readFields: ({ header, body }) =>
    withOwnModel(environment.MODEL_ALIASES, readJsonContent(header('content-type'), body)),
  readDraft: readVideoDraft,
  encode: createdGenerationObject,
});
