import { keyAdministration } from '../platform/authentication/dynamo-keys.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { keyList } from './api/key-object.ts';
import { readKeyQuery } from './api/key-query.ts';
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
