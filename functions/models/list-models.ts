import { NAMES } from '../catalogue/settings.ts';
import { endpointOfBoth, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { MODEL_ENDPOINTS } from './api/endpoints.ts';
import { modelList } from './api/models.ts';
import { nativeModelList } from './api/native-models.ts';

export const ENVIRONMENT = { ...KEYS, ...NAMES, ...OFFER };
const { MODEL_NAMES, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const catalogue = { aliases: MODEL_NAMES.aliases, upstreams };

export const handler = endpointOfBoth({
  openAi: jsonEndpoint(MODEL_ENDPOINTS.listModels, async () => modelList(catalogue)),
  google: jsonEndpoint(MODEL_ENDPOINTS.listNativeModels, async ({ query }) =>
    nativeModelList(catalogue, query),
  ),
});
