import type { Endpoint } from '../identity/api/declare-endpoint.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoUsage } from './adapters/dynamo-charges.ts';
import { bucketPage } from './api/usage-object.ts';
import { readUsageQuery, type UsageEndpoint } from './api/usage-query.ts';
import { reportUsage, type UsageSum } from './domain/usage.ts';

export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

/** Reports an account's daily sums. The endpoints differ in their parameters and in the shape of a result. */
export const usageEndpoint = (
  declared: Endpoint,
  parameters: UsageEndpoint,
  toResult: (sum: UsageSum) => unknown,
) => {
  const usage = dynamoUsage(client, readEnvironment(ENVIRONMENT).USAGE_TABLE, logger);
  return jsonEndpoint(declared, async (request) => {
    const query = readUsageQuery(parameters, request, Date.now());
    return bucketPage(await reportUsage(usage, request.caller.account, query), toResult);
  });
};
