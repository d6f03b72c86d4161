import { dynamoClient } from './adapters/aws-clients.ts';
import { keyAdministration } from './adapters/dynamo-keys.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { serviceAccountKey } from './api/console/key-object.ts';
import { newKeyTerms, newServiceAccountKeySchema } from './api/console/key-schema.ts';
import { credentialEndpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { createKey, requireOwnProject, requireServiceAccount } from './usecases/manage-keys.ts';

const { KEY_TABLE, PRICES: prices } = readEnvironment(ENVIRONMENTS['create-service-account-key']);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, path, header, body }) => {
  requireOwnProject(caller.account, path('project_id'));
  requireServiceAccount(caller.account, path('service_account_id'));
  const given = parseBody(newServiceAccountKeySchema, readJsonContent(header('content-type'), body));
  const { key, stored } = await createKey({ keys, prices }, caller.account, newKeyTerms(given), Date.now());
  return ok(serviceAccountKey(stored, key));
});
