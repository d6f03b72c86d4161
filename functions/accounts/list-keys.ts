import { dynamoKeyList } from '../platform/authentication/dynamo-keys.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoMemberList } from './adapters/dynamo-people.ts';
import { keyList, readKeyQuery } from './api/key-object.ts';
import { listKeys, requireOwnProject } from './usecases/manage-keys.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const people = dynamoMemberList(client, MEMBER_TABLE, logger);
const administration = dynamoKeyList(client, KEY_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, path, query }) => {
  requireOwnProject(caller.account, path('project_id'));
  const now = Date.now();
  const { keys, hasMore } = await listKeys(administration, caller.account, readKeyQuery(query), now);
  const owners = keys.some(({ ownerId }) => ownerId !== undefined) ? await people.list(caller.account) : [];
  return ok(keyList(keys, hasMore, now, owners));
});
