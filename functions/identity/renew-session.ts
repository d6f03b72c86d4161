import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DomainError } from '../platform/domain/errors.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoSessions } from './adapters/dynamo-sessions.ts';
import { SESSION_ENDPOINTS } from './api/endpoints.ts';
import { sessionObject } from './api/session-object.ts';
import { readSessionCookie, sessionCookie, sessionCookieName } from './authentication/authenticate.ts';
import { type AccountRequest, client, endpoint } from './authentication/endpoint.ts';
import { readCookieValue } from './domain/session.ts';
import { SIGN_IN_SERVICE, signInService } from './sign-in-service.ts';
import { type HeldSession, renewSession, switchAccount } from './usecases/renew-session.ts';

export const ENVIRONMENT = { ...SIGN_IN_SERVICE, ...KEYS };
const environment = readEnvironment(ENVIRONMENT);
const service = signInService(environment);
const sessions = dynamoSessions(client, environment.SESSION_TABLE);

/** The authenticated session, with the secret that only its cookie contains. */
const holdSession = async (request: Omit<AccountRequest, 'body'>): Promise<HeldSession> => {
  const cookie = readCookieValue(readSessionCookie(request.header) ?? '');
  if (cookie === undefined || cookie.id !== request.caller.keyId)
    throw new DomainError('insufficient_permissions', 'A key has no session. Sign in to the console.');
  const session = await sessions.find(cookie.id);
  if (session === undefined)
    throw new DomainError('invalid_api_key', 'The console session has ended: sign in again.');
  return { session, secret: cookie.secret, origin: request.action };
};

const renew = endpoint(SESSION_ENDPOINTS.renewSession, async (request) =>
  ok(sessionObject(await renewSession(service, await holdSession(request)))),
);

const change = endpoint(SESSION_ENDPOINTS.switchSession, async (request) => {
  const { header, body, caller } = request;
  const { session, cookie } = await switchAccount(
    service,
    await holdSession(request),
    caller,
    body.project_id,
  );
  const name = sessionCookieName(header);
  if (name === undefined)
    throw new DomainError('invalid_request', 'The console requires HTTPS: open it with https://.');
  const maxAge = Math.round((session.endsAt - Date.now()) / 1000);
  return ok(sessionObject(session), { 'set-cookie': sessionCookie(name, cookie, maxAge) });
});

export const handler = (event: APIGatewayProxyEvent) =>
  event.resource.endsWith('/switch') ? change(event) : renew(event);
