import type { APIGatewayProxyEvent } from 'aws-lambda';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEPT_STORAGE, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { accountAdministration } from './adapters/account-administration.ts';
import { dynamoKeptStorage } from './adapters/kept-storage.ts';
import { USAGE_ENDPOINTS } from './api/endpoints.ts';
import { storageLimitObject } from './api/storage-object.ts';

/** Returns the storage for kept items, and sets its limit. */

export const ENVIRONMENT = { ...KEYS, ...KEPT_STORAGE, ...AUDIT };
const { ACCOUNT_TABLE, AUDIT_TABLE, KEPT_STORAGE_MEGABYTES } = readEnvironment(ENVIRONMENT);
const storages = dynamoKeptStorage(client, ACCOUNT_TABLE);
const accounts = accountAdministration(
  client,
  ACCOUNT_TABLE,
  logger,
  auditTrail(client, AUDIT_TABLE, logger),
);

const describeStorage = async (account: string) =>
  storageLimitObject(await storages.find(account), KEPT_STORAGE_MEGABYTES);

const get = jsonEndpoint(USAGE_ENDPOINTS.getStorageLimit, ({ caller }) => describeStorage(caller.account));

const set = jsonEndpoint(USAGE_ENDPOINTS.setStorageLimit, async ({ body, action, caller }) => {
  const keptMegabytes = body.limit_megabytes ?? undefined;
  await accounts.set(action, { keptMegabytes });
  return describeStorage(caller.account);
});

export const handler = (event: APIGatewayProxyEvent) =>
  event.httpMethod === 'POST' ? set(event) : get(event);
