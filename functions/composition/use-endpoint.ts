import { dynamoClient } from '../adapters/aws-clients.ts';
import { dynamoUsage } from '../adapters/dynamo-usage.ts';
import { bucketPage } from '../api/organization/use-object.ts';
import { readUseQuery, type UseEndpoint } from '../api/organization/use-query.ts';
import type { UseSum } from '../domain/use-sums.ts';
import { ok } from '../runtime/http.ts';
import { reportUse } from '../usecases/report-use.ts';
import { adminEndpoint, logger } from './endpoint.ts';

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
