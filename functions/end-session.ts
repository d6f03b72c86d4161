import { dynamoClient } from './adapters/aws-clients.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { endedSession } from './api/console/session-object.ts';
import { adminEndpoint, logger } from './composition/endpoint.ts';
import { isSessionId } from './domain/session.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { sessionCookie, sessionCookieName } from './runtime/session-cookie.ts';
import { endSession } from './usecases/end-session.ts';

const { KEY_TABLE, SESSION_TABLE } = readEnvironment(ENVIRONMENTS['end-session']);
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
