import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoAccounts } from './adapters/dynamo-accounts.ts';
import { USAGE_ENDPOINTS } from './api/endpoints.ts';
import { spendLimitObject } from './api/limit-object.ts';
import { effectiveLimits } from './domain/reserve.ts';
import { LIMITS } from './settings.ts';

export const ENVIRONMENT = { ...KEYS, ...LIMITS };
const environment = readEnvironment(ENVIRONMENT);
const accounts = dynamoAccounts(client, environment.ACCOUNT_TABLE);

export const handler = jsonEndpoint(USAGE_ENDPOINTS.getSpendLimit, async ({ caller }) => {
  const now = Date.now();
  const account = await accounts.find(caller.account, now);
  const { monthlyBudget: budget } = effectiveLimits(account, environment.ACCOUNT_LIMITS);
  if (budget === undefined) throw new DomainError('not_found', 'The account has no monthly budget.');
  const { currency } = environment.PRICES;
  return spendLimitObject({ budget, used: account?.committed ?? '0', currency }, now);
});
