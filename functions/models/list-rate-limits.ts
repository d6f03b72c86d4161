import { dynamoAccounts } from '../billing/adapters/dynamo-accounts.ts';
import { USAGE_ENDPOINTS } from '../billing/api/endpoints.ts';
import { rateLimitList, rateLimitObjects } from '../billing/api/limit-object.ts';
import { effectiveLimits } from '../billing/domain/reserve.ts';
import { LIMITS } from '../billing/settings.ts';
import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { offeredModels } from '../upstream/domain/capabilities.ts';
import { OFFER } from '../upstream/settings.ts';

export const ENVIRONMENT = { ...KEYS, ...LIMITS, ...OFFER };
const environment = readEnvironment(ENVIRONMENT);
const offered = offeredModels(environment.UPSTREAMS);
const accounts = dynamoAccounts(client, environment.ACCOUNT_TABLE);

export const handler = jsonEndpoint(USAGE_ENDPOINTS.listRateLimits, async ({ caller, query }) => {
  const account = await accounts.find(caller.account, Date.now());
  const limits = effectiveLimits(account, environment.ACCOUNT_LIMITS);
  return rateLimitList(rateLimitObjects(limits, offered), query);
});
