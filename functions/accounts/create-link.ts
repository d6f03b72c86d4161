import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { credentialEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { generateLink } from '../platform/domain/session.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { linkObject } from './api/session-object.ts';

export const ENVIRONMENT = { ...KEYS, ...PUBLIC_ADDRESS };
const { KEY_TABLE, SESSION_TABLE, PUBLIC_BASE_URL } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const sessions = sessionAdministration(client, SESSION_TABLE, logger);

export const handler = credentialEndpoint(client, KEY_TABLE, async ({ caller, baseUrl }) => {
  const { token, stored } = generateLink(caller.account, Date.now());
  await sessions.addLink(stored);
  return ok(linkObject(PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL, token, stored));
});
