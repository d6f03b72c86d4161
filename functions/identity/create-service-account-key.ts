import { PRICES } from '../catalogue/settings.ts';
import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { newKeyTerms, serviceAccountKey } from './api/key-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { createKey, requireServiceAccount } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PRICES };
const environment = readEnvironment(ENVIRONMENT);
const { PRICES: prices } = environment;
const keys = keyAdministration(client, environment, logger);

export const handler = endpoint(KEY_ENDPOINTS.createServiceAccountKey, async (request) => {
  const { caller, path, body } = request;
  requireServiceAccount(caller.account, path.service_account_id);
  const terms = { ...newKeyTerms(body), forAccount: true };
  const { key, stored } = await createKey({ keys, prices }, requestAction(request), terms);
  return ok(serviceAccountKey(stored, key));
});
