import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { pageObject } from '../platform/api/pages.ts';
import { KEYS, readEnvironment, SHARES } from '../platform/runtime/environment.ts';
import { dynamoSharePages } from './adapters/dynamo-shares.ts';
import { SHARE_ENDPOINTS } from './api/endpoints.ts';
import { shareObject } from './api/share-object.ts';

export const ENVIRONMENT = { ...KEYS, ...SHARES };
const { MEMBER_TABLE, SHARE_TABLE } = readEnvironment(ENVIRONMENT);
const { page } = dynamoSharePages(client, SHARE_TABLE, logger, dynamoMembers(client, MEMBER_TABLE));

export const handler = jsonEndpoint(SHARE_ENDPOINTS.listShares, async ({ caller, query }) =>
  pageObject(await page(caller.account, query, Date.now()), shareObject),
);
