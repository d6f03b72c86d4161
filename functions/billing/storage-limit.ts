import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { adminEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { requestOrigin } from '../identity/domain/audit.ts';
import { requireOwnProject } from '../identity/usecases/manage-keys.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { AUDIT, KEPT_STORAGE, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { accountAdministration } from './adapters/account-administration.ts';
import { dynamoKeptStorage } from './adapters/kept-storage.ts';
import { newStorageLimitSchema, storageLimitObject } from './api/storage-object.ts';

/** Returns the storage for kept items, and sets its limit. */

export const ENVIRONMENT = { ...KEYS, ...KEPT_STORAGE, ...AUDIT };
const { KEY_TABLE, ACCOUNT_TABLE, AUDIT_TABLE, KEPT_STORAGE_MEGABYTES } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const storages = dynamoKeptStorage(client, ACCOUNT_TABLE);
const accounts = accountAdministration(
  client,
  ACCOUNT_TABLE,
  logger,
  auditTrail(client, AUDIT_TABLE, logger),
);

export const handler = adminEndpoint(client, KEY_TABLE, async (request) => {
  const { caller, method, path, header, body } = request;
  const { account } = caller;
  requireOwnProject(account, path('project_id'));
  if (method === 'POST') {
    const given = parseBody(newStorageLimitSchema, readJsonContent(header('content-type'), body));
    const keptMegabytes = given.limit_megabytes ?? undefined;
    await accounts.set(account, { keptMegabytes }, requestOrigin(request), Date.now());
  }
  return ok(storageLimitObject(await storages.find(account), KEPT_STORAGE_MEGABYTES));
});
