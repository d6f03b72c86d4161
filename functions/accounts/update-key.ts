import { keyAdministration } from '../platform/authentication/dynamo-keys.ts';
import { credentialEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { KEYS, PRICES, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { keyChangeSchema, keyObject, readKeyChange } from './api/key-object.ts';
import { changeKey, requireOwnProject } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...PRICES };
const { KEY_TABLE, PRICES: prices } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, path, header, body }) => {
  requireOwnProject(caller.account, path('project_id'));
  const now = Date.now();
  const given = parseBody(keyChangeSchema, readJsonContent(header('content-type'), body));
  const change = readKeyChange(given, now);
  return ok(keyObject(await changeKey({ keys, prices }, caller.account, path('key_id'), change), now));
});
