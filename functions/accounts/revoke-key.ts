import { keyAdministration } from '../platform/authentication/dynamo-keys.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { deletedKey } from './api/key-object.ts';
import { requireOwnProject, revokeKey } from './usecases/manage-keys.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, path }) => {
  requireOwnProject(caller.account, path('project_id'));
  const id = path('key_id');
  await revokeKey(keys, caller.account, id, Date.now());
  return ok(deletedKey(id));
});
