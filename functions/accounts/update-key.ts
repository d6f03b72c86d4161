import { keyAdministration } from '../platform/authentication/dynamo-keys.ts';
import { credentialEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { ACCOUNTS, KEYS, PRICES, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoKeyUses } from './adapters/dynamo-accounts.ts';
import { keyChangeSchema, keyObject, readKeyChange } from './api/key-object.ts';
import { changeKey, requireOwnProject } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...ACCOUNTS, ...PRICES };
const { KEY_TABLE, ACCOUNT_TABLE, PRICES: prices } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const keys = keyAdministration(client, KEY_TABLE, logger);
const uses = dynamoKeyUses(client, ACCOUNT_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, path, header, body }) => {
  requireOwnProject(caller.account, path('project_id'));
  const now = Date.now();
  const given = parseBody(keyChangeSchema, readJsonContent(header('content-type'), body));
  const change = readKeyChange(given, now);
  const key = await changeKey({ keys, prices }, caller.account, path('key_id'), change);
  const lastCharges = await uses.lastCharges(caller.account, [key.id]);
  return ok(keyObject(key, now, lastCharges.get(key.id)));
});
