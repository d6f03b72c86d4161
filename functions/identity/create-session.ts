import { openAiDialect } from '../platform/api/dialects.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { AUDIT, MEMBERS, readEnvironment, SESSIONS } from '../platform/runtime/environment.ts';
import { ok, publicHandler } from '../platform/runtime/http.ts';
import { auditTrail } from './adapters/audit-trail.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { dynamoSessionWrites } from './adapters/dynamo-session-writes.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { sessionObject, signInSchema } from './api/session-object.ts';
import { isSameOrigin, sessionCookie, sessionCookieName } from './authentication/authenticate.ts';
import { client, logger } from './authentication/endpoint.ts';
import { readUserAgent } from './domain/audit.ts';
import { SESSION_TIMES, SIGN_IN_LINKS } from './settings.ts';
import { LINKS_DISABLED, signInWithToken } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = { ...SESSIONS, ...MEMBERS, ...AUDIT, ...SESSION_TIMES, ...SIGN_IN_LINKS };
const environment = readEnvironment(ENVIRONMENT);
const { SESSION_TABLE, MEMBER_TABLE, AUDIT_TABLE } = environment;
const audit = auditTrail(client, AUDIT_TABLE, logger);
const dependencies = {
  sessions: sessionAdministration(client, SESSION_TABLE, logger, audit),
  record: audit.record,
  directory: memberDirectory(client, MEMBER_TABLE, logger),
  writes: dynamoSessionWrites(client, { sessions: SESSION_TABLE, members: MEMBER_TABLE }, audit),
  times: environment.SESSION_TIMES,
  now: Date.now,
};

export const handler = publicHandler({ dialect: openAiDialect, logger }, async (request, outcome) => {
  const { header, body, sourceIp } = request;
  // Otherwise another site could sign a person in to the attacker's account.
  if (isSameOrigin(header) === false)
    throw new DomainError('insufficient_permissions', 'Sign in on the console page itself.');
  const cookieName = sessionCookieName(header);
  if (cookieName === undefined)
    throw new DomainError('invalid_request', 'Signing in requires HTTPS: open the link with https://.');
  if (environment.SIGN_IN_LINKS === 'false') throw LINKS_DISABLED;
  const { token } = parseBody(signInSchema, readJsonContent(header('content-type'), body));
  const from = { ip: sourceIp, userAgent: readUserAgent(header) };
  const { session, cookie } = await signInWithToken(dependencies, token, from);
  outcome.account = session.account;
  const maxAge = Math.floor((session.endsAt - session.createdAt) / 1000);
  return ok(sessionObject(session), { 'set-cookie': sessionCookie(cookieName, cookie, maxAge) });
});
