import { NAMES } from '../catalogue/settings.ts';
import { endpointOfBoth, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { MODEL_ENDPOINTS } from './api/endpoints.ts';
import { modelObject, requireListedName } from './api/models.ts';
import { nativeModel } from './api/native-models.ts';

export const ENVIRONMENT = { ...KEYS, ...NAMES, ...OFFER };
const { MODEL_NAMES, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const catalogue = { aliases: MODEL_NAMES.aliases, upstreams };

export const handler = endpointOfBoth({
  openAi: jsonEndpoint(MODEL_ENDPOINTS.getModel, async ({ path, noteAlias }) =>
    modelObject(catalogue, requireListedName(catalogue, path.modelAction, noteAlias)),
  ),
  google: jsonEndpoint(MODEL_ENDPOINTS.getNativeModel, async ({ path, noteAlias }) =>
    nativeModel(catalogue, requireListedName(catalogue, path.modelAction, noteAlias)),
  ),
});
