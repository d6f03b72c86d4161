import { ALIASES } from '../catalogue/settings.ts';
import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { MODEL_ENDPOINTS } from './api/endpoints.ts';
import { modelObject, requireListedName } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES, ...OFFER };
const { MODEL_ALIASES: aliases, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const catalogue = { aliases, upstreams };

export const handler = jsonEndpoint(MODEL_ENDPOINTS.getModel, async ({ path }) =>
  modelObject(catalogue, requireListedName(catalogue, path.model)),
);
