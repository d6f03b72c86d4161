import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { dynamoSessionList } from './adapters/dynamo-sessions.ts';
import { SESSION_ENDPOINTS } from './api/endpoints.ts';
import { sessionList } from './api/session-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { actingPerson } from './domain/api-key.ts';
import { isAlive, isBacked } from './domain/session.ts';
import { isVisible } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = KEYS;
const { SESSION_TABLE, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const sessions = dynamoSessionList(client, SESSION_TABLE, logger);
const members = memberDirectory(client, MEMBER_TABLE, logger);

export const handler = jsonEndpoint(SESSION_ENDPOINTS.listSessions, async ({ caller }) => {
  const now = Date.now();
  const visible = (await sessions.list(caller.account)).filter(
    (session) => isAlive(session, now) && isVisible(caller, session),
  );
  const people = visible.some((session) => actingPerson(session) !== undefined)
    ? await members.list(caller.account)
    : [];
  const found = visible.filter((session) => isBacked(session, people));
  return sessionList(found, people, caller.keyId);
});
