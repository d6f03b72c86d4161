import { sessionCookie, sessionCookieName } from '../platform/authentication/authenticate.ts';
import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { adminEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { isSessionId } from '../platform/domain/session.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { endedSession } from './api/session-object.ts';
import { endSession } from './usecases/manage-keys.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, SESSION_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const sessions = sessionAdministration(client, SESSION_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, path, header }) => {
  const ended = await endSession(sessions, caller, path('session_id'));
  const cookieName = sessionCookieName(header);
  const signsOut = isSessionId(caller.keyId) && (ended === 'all' || ended === caller.keyId);
  return ok(
    endedSession(ended),
    signsOut && cookieName !== undefined ? { 'set-cookie': sessionCookie(cookieName, '', 0) } : {},
  );
});
