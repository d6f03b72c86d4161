import { dynamoClient } from './adapters/aws-clients.ts';
import { keyAdministration } from './adapters/dynamo-keys.ts';
import { keyList } from './api/console/key-object.ts';
import { readKeyQuery } from './api/console/key-query.ts';
import { adminEndpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { listKeys, requireOwnProject } from './usecases/manage-keys.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['list-keys']);
const client = dynamoClient();
const administration = keyAdministration(client, KEY_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, path, query }) => {
  requireOwnProject(caller.account, path('project_id'));
  const now = Date.now();
  const { keys, hasMore } = await listKeys(administration, caller.account, readKeyQuery(query), now);
  return ok(keyList(keys, hasMore, now));
});
