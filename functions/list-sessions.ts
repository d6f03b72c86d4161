import { dynamoClient } from './adapters/aws-clients.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { sessionList } from './api/console/session-object.ts';
import { adminEndpoint, logger } from './composition/endpoint.ts';
import { isOpen } from './domain/session.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, SESSION_TABLE } = readEnvironment(ENVIRONMENTS['list-sessions']);
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
