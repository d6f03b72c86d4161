import type { Endpoint } from '../identity/api/endpoint.ts';
import { endpoint, logger } from '../identity/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoUsage } from './adapters/dynamo-charges.ts';
import { bucketPage } from './api/usage-object.ts';
import { readUsageQuery, type UsageEndpoint } from './api/usage-query.ts';
import type { UsageSum } from './domain/usage.ts';
import { reportUsage } from './usecases/report-usage.ts';

type Environment = { readonly KEY_TABLE: string; readonly USAGE_TABLE: string };

/** Reports an account's daily sums. The endpoints differ in their parameters and in the shape of a result. */
export const usageEndpoint = (
  { KEY_TABLE, USAGE_TABLE }: Environment,
  declared: Endpoint,
  parameters: UsageEndpoint,
  toResult: (sum: UsageSum) => unknown,
) => {
  const client = dynamoClient();
  const usage = dynamoUsage(client, USAGE_TABLE, logger);
  return endpoint(declared, client, KEY_TABLE, async (request) => {
    const query = readUsageQuery(parameters, request, Date.now());
    return ok(bucketPage(await reportUsage(usage, request.caller.account, query), toResult));
  });
};
