import { dynamoClient } from './adapters/aws-clients.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { linkObject } from './api/console/session-object.ts';
import { credentialEndpoint, logger } from './composition/endpoint.ts';
import { generateLink } from './domain/session.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, SESSION_TABLE, PUBLIC_BASE_URL } = readEnvironment(ENVIRONMENTS['create-link']);
const client = dynamoClient();
const sessions = sessionAdministration(client, SESSION_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, baseUrl }) => {
  const { token, stored } = generateLink(caller.account, Date.now());
  await sessions.addLink(stored);
  return ok(linkObject(PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL, token, stored));
});
