import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { deletedKey } from './api/key-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { revokeKey } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const keys = keyAdministration(client, environment, logger);

export const handler = endpoint(KEY_ENDPOINTS.revokeKey, async (request) => {
  const id = request.path.key_id;
  await revokeKey(keys, requestAction(request), id);
  return ok(deletedKey(id));
});
