import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment, SHARES } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoSharePages } from './adapters/dynamo-shares.ts';
import { listShares } from './api/endpoints.ts';
import { shareList } from './api/share-object.ts';

export const ENVIRONMENT = { ...KEYS, ...SHARES };
const { KEY_TABLE, MEMBER_TABLE, SHARE_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const { page } = dynamoSharePages(client, SHARE_TABLE, logger, dynamoMembers(client, MEMBER_TABLE));

export const handler = endpoint(listShares, client, KEY_TABLE, async ({ caller, query }) =>
  ok(shareList(await page(caller.account, query, Date.now()))),
);
