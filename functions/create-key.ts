import { dynamoClient } from './adapters/aws-clients.ts';
import { keyAdministration } from './adapters/dynamo-keys.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { createdKey } from './api/console/key-object.ts';
import { newKeySchema, newKeyTerms } from './api/console/key-schema.ts';
import { credentialEndpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { createKey, requireOwnProject } from './usecases/manage-keys.ts';

const { KEY_TABLE, PRICES: prices } = readEnvironment(ENVIRONMENTS['create-key']);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, path, header, body }) => {
  requireOwnProject(caller.account, path('project_id'));
  const terms = newKeyTerms(parseBody(newKeySchema, readJsonContent(header('content-type'), body)));
  const { key, stored } = await createKey({ keys, prices }, caller.account, terms, Date.now());
  return ok(createdKey(stored, key));
});
