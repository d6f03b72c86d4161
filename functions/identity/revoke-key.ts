import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { deletedKey } from './api/key-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { revokeKey } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const keys = keyAdministration(client, environment, logger);

export const handler = jsonEndpoint(KEY_ENDPOINTS.revokeKey, async ({ path, action }) => {
  const id = path.key_id;
  await revokeKey(keys, action, id);
  return deletedKey(id);
});
