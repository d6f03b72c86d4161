import { memberDirectory } from '../platform/authentication/dynamo-members.ts';
import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { actingPerson } from '../platform/domain/api-key.ts';
import { isAlive, isBacked } from '../platform/domain/session.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { sessionList } from './api/session-object.ts';
import { isVisible } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, SESSION_TABLE, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const sessions = sessionAdministration(client, SESSION_TABLE, logger);
const members = memberDirectory(client, MEMBER_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller }) => {
  const now = Date.now();
  const visible = (await sessions.list(caller.account)).filter(
    (session) => isAlive(session, now) && isVisible(caller, session),
  );
  const people = visible.some((session) => actingPerson(session) !== undefined)
    ? await members.listByAccount(caller.account)
    : [];
  const found = visible.filter((session) => isBacked(session, people));
  return ok(sessionList(found, people, caller.keyId));
});
