import { ALIASES } from '../catalogue/settings.ts';
import { endpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { OFFER } from '../upstream/settings.ts';
import { listModels } from './api/endpoints.ts';
import { modelList } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES, ...OFFER };
const { MODEL_ALIASES: aliases, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);

export const handler = endpoint(listModels, async () => ok(modelList({ aliases, upstreams })));
