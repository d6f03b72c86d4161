import { pageObject } from '../platform/api/pages.ts';
import { ACCOUNTS, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoKeyUses } from './adapters/dynamo-key-uses.ts';
import { dynamoKeyList } from './adapters/dynamo-keys.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { keyObject } from './api/key-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { listKeys } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...ACCOUNTS };
const { KEY_TABLE, MEMBER_TABLE, ACCOUNT_TABLE } = readEnvironment(ENVIRONMENT);
const ports = {
  people: memberDirectory(client, MEMBER_TABLE, logger),
  keys: dynamoKeyList(client, KEY_TABLE, logger),
  uses: dynamoKeyUses(client, ACCOUNT_TABLE, logger),
};

export const handler = jsonEndpoint(KEY_ENDPOINTS.listKeys, async ({ caller, query }) => {
  const now = Date.now();
  const page = await listKeys(ports, caller.account, query, now);
  return pageObject(page, (known) => keyObject(known, now));
});
