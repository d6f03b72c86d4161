import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { isOpen } from '../platform/domain/session.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { sessionList } from './api/session-object.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, SESSION_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const sessions = sessionAdministration(client, SESSION_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller }) => {
  const found = await sessions.list(caller.account);
  const now = Date.now();
  return ok(
    sessionList(
      found.filter((session) => isOpen(session, now)),
      caller.keyId,
    ),
  );
});
