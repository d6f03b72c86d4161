import { NAMES } from '../catalogue/settings.ts';
import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { MODEL_ENDPOINTS } from './api/endpoints.ts';
import { nativeModelList } from './api/native-models.ts';

export const ENVIRONMENT = { ...KEYS, ...NAMES, ...OFFER };
const { MODEL_NAMES, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const { aliases } = MODEL_NAMES;

export const handler = jsonEndpoint(MODEL_ENDPOINTS.listNativeModels, async ({ query }) =>
  nativeModelList({ aliases, upstreams }, query),
);
