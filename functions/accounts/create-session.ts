import { openAiDialect } from '../platform/api/errors.ts';
import { isSameOrigin, sessionCookie, sessionCookieName } from '../platform/authentication/authenticate.ts';
import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { SESSION_MILLISECONDS } from '../platform/domain/session.ts';
import { readEnvironment, SESSIONS } from '../platform/runtime/environment.ts';
import { ok, publicHandler } from '../platform/runtime/http.ts';
import { sessionObject, signInSchema } from './api/session-object.ts';
import { signIn } from './usecases/manage-keys.ts';

export const ENVIRONMENT = SESSIONS;
const { SESSION_TABLE } = readEnvironment(ENVIRONMENT);
const dependencies = {
  sessions: sessionAdministration(dynamoClient(), SESSION_TABLE, logger),
  now: Date.now,
};

export const handler = publicHandler({ dialect: openAiDialect, logger }, async ({ header, body }) => {
  // Otherwise another site could sign a person in to the attacker's account.
  if (isSameOrigin(header) === false)
    throw new DomainError('insufficient_permissions', 'Sign in on the console page itself.');
  const cookieName = sessionCookieName(header);
  if (cookieName === undefined)
    throw new DomainError('invalid_request', 'Signing in requires HTTPS: open the link with https://.');
  const { token } = parseBody(signInSchema, readJsonContent(header('content-type'), body));
  const { session, cookie } = await signIn(dependencies, token);
  return ok(sessionObject(session), {
    'set-cookie': sessionCookie(cookieName, cookie, SESSION_MILLISECONDS / 1000),
  });
});
