import { withOwnModel } from './api/body/model.ts';
import { readBody } from './api/body/request-body.ts';
import { readVideoDraft } from './api/videos/create-video.ts';
import { createdVideoObject } from './api/videos/video-object.ts';
import { endpoint } from './composition/endpoint.ts';
import { creationEndpoint } from './composition/video-creation.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

const environment = readEnvironment(ENVIRONMENTS['create-video']);

export const handler = creationEndpoint({
  environment,
  endpoint,
  readFields: async ({ header, body }) =>
    withOwnModel(environment.MODEL_ALIASES, await readBody(header('content-type'), body)),
  readDraft: readVideoDraft,
  encode: createdVideoObject,
});
