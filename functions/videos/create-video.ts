import { endpoint } from '../platform/authentication/endpoint.ts';
import { withOwnModel } from '../platform/body/model.ts';
import { readBody } from '../platform/body/request-body.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { readVideoDraft } from './api/create-video.ts';
import { createdVideoObject } from './api/video-object.ts';
import { creationEndpoint } from './video-creation.ts';

const environment = readEnvironment(ENVIRONMENTS['create-video']);

export const handler = creationEndpoint({
  environment,
  endpoint,
  readFields: async ({ header, body }) =>
    withOwnModel(environment.MODEL_ALIASES, await readBody(header('content-type'), body)),
  readDraft: readVideoDraft,
  encode: createdVideoObject,
});
