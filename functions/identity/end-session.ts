import type { APIGatewayProxyEvent } from 'aws-lambda';
import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { type HttpResponse, ok } from '../platform/runtime/http.ts';
import { auditTrail } from './adapters/audit-trail.ts';
import { openSealedTokens } from './adapters/dynamo-session-writes.ts';
import { dynamoSessions, sessionAdministration } from './adapters/dynamo-sessions.ts';
import type { EndpointRequest } from './api/declare-endpoint.ts';
import { SESSION_ENDPOINTS } from './api/endpoints.ts';
import { endedSession } from './api/session-object.ts';
import { readSessionCookie, sessionCookie, sessionCookieName } from './authentication/authenticate.ts';
import { type AccountRequest, client, endpoint, logger } from './authentication/endpoint.ts';
import { isSessionId, readCookieValue } from './domain/session.ts';
import { endSession } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const { SESSION_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const audit = auditTrail(client, AUDIT_TABLE, logger);
const sessions = sessionAdministration(client, SESSION_TABLE, logger, audit);
const { find } = dynamoSessions(client, SESSION_TABLE);

/** Where the caller signs out of the provider; only the caller's cookie can decrypt it. */
const findSignOutUrl = async ({ caller, header }: AccountRequest): Promise<string | undefined> => {
  const cookie = readCookieValue(readSessionCookie(header) ?? '');
  if (cookie?.id !== caller.keyId) return undefined;
  const session = await find(cookie.id);
  return session && (await openSealedTokens(session, cookie.secret)).signOutUrl;
};

const end = async (request: EndpointRequest<typeof SESSION_ENDPOINTS.endSession>): Promise<HttpResponse> => {
  const { caller, path, header } = request;
  const which = path.session_id;
  const signsOut = isSessionId(caller.keyId) && ['current', 'all', caller.keyId].includes(which);
  const signOutUrl = signsOut ? await findSignOutUrl(request) : undefined;
  const ended = await endSession(sessions, request.action, which);
  const cookieName = sessionCookieName(header);
  return ok(
    endedSession(ended, signOutUrl),
    signsOut && cookieName !== undefined ? { 'set-cookie': sessionCookie(cookieName, '', 0) } : {},
  );
};

const endOwn = endpoint({ ...SESSION_ENDPOINTS.endSession, access: 'overdue' }, end);
const endAny = endpoint(SESSION_ENDPOINTS.endSession, end);

/** Everybody can sign out, also when the session must be renewed first. */
export const handler = (event: APIGatewayProxyEvent) =>
  event.pathParameters?.session_id === 'current' ? endOwn(event) : endAny(event);
