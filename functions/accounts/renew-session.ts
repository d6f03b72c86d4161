import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  readSessionCookie,
  sessionCookie,
  sessionCookieName,
} from '../platform/authentication/authenticate.ts';
import { dynamoSessions } from '../platform/authentication/dynamo-sessions.ts';
import { credentialEndpoint, renewalEndpoint } from '../platform/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { requestOrigin } from '../platform/domain/audit.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { readCookieValue } from '../platform/domain/session.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { type AccountRequest, ok } from '../platform/runtime/http.ts';
import { sessionObject, switchSchema } from './api/session-object.ts';
import { SIGN_IN_SERVICE, signInService } from './sign-in-service.ts';
import { type HeldSession, renewSession, switchAccount } from './usecases/renew-session.ts';

export const ENVIRONMENT = { ...SIGN_IN_SERVICE, ...KEYS };
const environment = readEnvironment(ENVIRONMENT);
const service = signInService(environment);
const sessions = dynamoSessions(service.client, environment.SESSION_TABLE);

/** The authenticated session, with the secret that only its cookie contains. */
const holdSession = async (request: AccountRequest): Promise<HeldSession> => {
  const cookie = readCookieValue(readSessionCookie(request.header) ?? '');
  if (cookie === undefined || cookie.id !== request.caller.keyId)
    throw new DomainError('insufficient_permissions', 'A key has no session. Sign in to the console.');
  const session = await sessions.find(cookie.id);
  if (session === undefined)
    throw new DomainError('invalid_api_key', 'The console session has ended: sign in again.');
  return { session, secret: cookie.secret, origin: requestOrigin(request) };
};

const renew = renewalEndpoint(service.client, environment.KEY_TABLE, async (request) =>
  ok(sessionObject(await renewSession(service, await holdSession(request)))),
);

const change = credentialEndpoint(service.client, environment.KEY_TABLE, async (request) => {
  const { header, body, caller } = request;
  const { project_id } = parseBody(switchSchema, readJsonContent(header('content-type'), body));
  const { session, cookie } = await switchAccount(service, await holdSession(request), caller, project_id);
  const name = sessionCookieName(header);
  if (name === undefined)
    throw new DomainError('invalid_request', 'The console requires HTTPS: open it with https://.');
  const maxAge = Math.round((session.endsAt - Date.now()) / 1000);
  return ok(sessionObject(session), { 'set-cookie': sessionCookie(name, cookie, maxAge) });
});

export const handler = (event: APIGatewayProxyEvent) =>
  event.resource.endsWith('/switch') ? change(event) : renew(event);
