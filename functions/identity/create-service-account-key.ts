import { PRICES } from '../catalogue/settings.ts';
import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { newKeyTerms, serviceAccountKey } from './api/key-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { createKey, requireServiceAccount } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PRICES };
const environment = readEnvironment(ENVIRONMENT);
const { PRICES: prices } = environment;
const keys = keyAdministration(client, environment, logger);

export const handler = jsonEndpoint(
  KEY_ENDPOINTS.createServiceAccountKey,
  async ({ caller, path, body, action }) => {
    requireServiceAccount(caller.account, path.service_account_id);
    const terms = { ...newKeyTerms(body), forAccount: true };
    const { key, stored } = await createKey({ keys, prices }, action, terms);
    return serviceAccountKey(stored, key);
  },
);
