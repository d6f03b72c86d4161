import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoUsage } from './adapters/dynamo-charges.ts';
import { bucketPage } from './api/use-object.ts';
import { readUseQuery, type UseEndpoint } from './api/use-query.ts';
import type { UseSum } from './domain/usage.ts';
import { reportUse } from './usecases/report-usage.ts';

type Environment = { readonly KEY_TABLE: string; readonly USAGE_TABLE: string };

/** Sums of an account by day; such endpoints differ in what they take and in how they tell it. */
export const useEndpoint = (
  { KEY_TABLE, USAGE_TABLE }: Environment,
  endpoint: UseEndpoint,
  resultOf: (sum: UseSum) => unknown,
) => {
  const client = dynamoClient();
  const usage = dynamoUsage(client, USAGE_TABLE, logger);
  return adminEndpoint(client, KEY_TABLE, async (request) => {
    const query = readUseQuery(endpoint, request, Date.now());
    return ok(bucketPage(await reportUse(usage, request.caller.account, query), resultOf));
  });
};
