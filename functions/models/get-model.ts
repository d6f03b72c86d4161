import { NAMES } from '../catalogue/settings.ts';
import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { MODEL_ENDPOINTS } from './api/endpoints.ts';
import { modelObject, requireListedName } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...NAMES, ...OFFER };
const { MODEL_NAMES, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const { aliases } = MODEL_NAMES;
const catalogue = { aliases, upstreams };

export const handler = jsonEndpoint(MODEL_ENDPOINTS.getModel, async ({ path, noteAlias }) =>
  modelObject(catalogue, requireListedName(catalogue, path.model, noteAlias)),
);
