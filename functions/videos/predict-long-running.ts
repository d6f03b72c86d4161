import { readRouteModel } from '../catalogue/api/model-actions.ts';
import { endpoint } from '../identity/authentication/endpoint.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './api/endpoints.ts';
import { operationName } from './api/native-video.ts';
import { CREATION, nativeVideoCreation } from './video-creation.ts';

export const ENVIRONMENT = CREATION;

export const handler = endpoint(
  ALTERNATIVE_VIDEO_ENDPOINTS.predictLongRunning,
  nativeVideoCreation({
    environment: readEnvironment(ENVIRONMENT),
    readName: ({ route }) => readRouteModel(route),
    toResponseBody: (task) => ({ name: operationName(task), done: false }),
  }),
);
