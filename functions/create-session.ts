import { dynamoClient } from './adapters/aws-clients.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { sessionObject } from './api/console/session-object.ts';
import { signInSchema } from './api/console/session-schema.ts';
import { openAiDialect } from './api/errors.ts';
import { logger } from './composition/endpoint.ts';
import { DomainError } from './domain/errors.ts';
import { SESSION_MILLISECONDS } from './domain/session.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok, publicHandler } from './runtime/http.ts';
import { isSameOrigin, sessionCookie, sessionCookieName } from './runtime/session-cookie.ts';
import { signIn } from './usecases/sign-in.ts';

const { SESSION_TABLE } = readEnvironment(ENVIRONMENTS['create-session']);
const dependencies = {
  sessions: sessionAdministration(dynamoClient(), SESSION_TABLE, logger),
  now: Date.now,
};

export const handler = publicHandler({ dialect: openAiDialect, logger }, async ({ header, body }) => {
  // Another site must not sign a person in to an account of its own.
  if (isSameOrigin(header) === false)
    throw new DomainError('insufficient_permissions', 'Sign in on the page of the console itself.');
  const cookieName = sessionCookieName(header);
  if (cookieName === undefined)
    throw new DomainError('invalid_request', 'Signing in needs https: open the link with https://.');
  const { token } = parseBody(signInSchema, readJsonContent(header('content-type'), body));
  const { session, cookie } = await signIn(dependencies, token);
  return ok(sessionObject(session), {
    'set-cookie': sessionCookie(cookieName, cookie, SESSION_MILLISECONDS / 1000),
  });
});
