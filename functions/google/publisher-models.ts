import { NAMES } from '../catalogue/settings.ts';
import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { requireListedName } from '../models/api/models.ts';
import { nativeModel, nativeModelList } from '../models/api/native-models.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { PUBLISHER_MODEL_ENDPOINTS } from './api/endpoints.ts';
import { publisherModel, publisherModelList } from './api/publisher-model.ts';

export const ENVIRONMENT = { ...KEYS, ...NAMES, ...OFFER };
const { MODEL_NAMES, UPSTREAMS: upstreams } = readEnvironment(ENVIRONMENT);
const catalogue = { aliases: MODEL_NAMES.aliases, upstreams };

const list = jsonEndpoint(PUBLISHER_MODEL_ENDPOINTS.listPublisherModels, async ({ query }) =>
  publisherModelList(nativeModelList(catalogue, query)),
);
const get = jsonEndpoint(PUBLISHER_MODEL_ENDPOINTS.getPublisherModel, async ({ path, noteAlias }) =>
  publisherModel(nativeModel(catalogue, requireListedName(catalogue, path.modelAction, noteAlias))),
);

export const handler: typeof list = (event) =>
  event.pathParameters?.modelAction === undefined ? list(event) : get(event);
