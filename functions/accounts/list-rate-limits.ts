import { adminEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, LIMITS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { offeredModels } from '../upstream/domain/capabilities.ts';
import { OFFER } from '../upstream/settings.ts';
import { dynamoAccounts } from './adapters/dynamo-accounts.ts';
import { rateLimitList, rateLimitObjects } from './api/limit-object.ts';
import { effectiveLimits } from './domain/reserve.ts';
import { defaultLimits } from './limiter.ts';
import { requireOwnProject } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...LIMITS, ...OFFER };
const environment = readEnvironment(ENVIRONMENT);
const offered = offeredModels(environment.UPSTREAMS);
const client = dynamoClient();
const accounts = dynamoAccounts(client, environment.ACCOUNT_TABLE);

export const handler = adminEndpoint(client, environment.KEY_TABLE, async ({ caller, path, query }) => {
  requireOwnProject(caller.account, path('project_id'));
  const account = await accounts.find(caller.account, Date.now());
  const limits = effectiveLimits(account, defaultLimits(environment));
  return ok(rateLimitList(rateLimitObjects(limits, offered), query));
});
