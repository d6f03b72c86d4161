import { dynamoMembers } from '../platform/authentication/dynamo-members.ts';
import { credentialEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { keyAdministration } from '../platform/authentication/key-administration.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { requestOrigin } from '../platform/domain/audit.ts';
import { AUDIT, KEYS, PRICES, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { createdKey, newKeySchema, newKeyTerms } from './api/key-object.ts';
import { createKey, requireOwnProject } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PRICES };
const environment = readEnvironment(ENVIRONMENT);
const { KEY_TABLE, PRICES: prices } = environment;
const client = dynamoClient();
const keys = keyAdministration(client, environment, logger);

const members = dynamoMembers(client, environment.MEMBER_TABLE);

export const handler = credentialEndpoint(client, KEY_TABLE, async (request) => {
  const { caller, path, header, body } = request;
  requireOwnProject(caller.account, path('project_id'));
  const terms = newKeyTerms(parseBody(newKeySchema, readJsonContent(header('content-type'), body)));
  const actor = { caller, origin: requestOrigin(request) };
  const { key, stored } = await createKey({ keys, prices }, actor, terms, Date.now());
  const owner = stored.ownerId === undefined ? undefined : await members.find(caller.account, stored.ownerId);
  return ok(createdKey(stored, key, owner));
});
