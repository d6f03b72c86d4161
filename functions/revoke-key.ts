import { dynamoClient } from './adapters/aws-clients.ts';
import { keyAdministration } from './adapters/dynamo-keys.ts';
import { deletedKey } from './api/console/key-object.ts';
import { adminEndpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { requireOwnProject, revokeKey } from './usecases/manage-keys.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['revoke-key']);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, path }) => {
  requireOwnProject(caller.account, path('project_id'));
  const id = path('key_id');
  await revokeKey(keys, caller.account, id, Date.now());
  return ok(deletedKey(id));
});
