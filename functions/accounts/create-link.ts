import { auditTrail } from '../platform/authentication/audit-trail.ts';
import { dynamoMembers } from '../platform/authentication/dynamo-members.ts';
import { sessionAdministration } from '../platform/authentication/dynamo-sessions.ts';
import { credentialEndpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { parseBody } from '../platform/body/parse.ts';
import { requestOrigin } from '../platform/domain/audit.ts';
import {
  AUDIT,
  KEYS,
  PUBLIC_ADDRESS,
  readEnvironment,
  SIGN_IN_LINKS,
} from '../platform/runtime/environment.ts';
import { type AccountRequest, ok } from '../platform/runtime/http.ts';
import { linkObject, newLinkSchema } from './api/session-object.ts';
import { createLink, LINKS_DISABLED } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PUBLIC_ADDRESS, ...SIGN_IN_LINKS };
const environment = readEnvironment(ENVIRONMENT);
const { KEY_TABLE, SESSION_TABLE, MEMBER_TABLE, AUDIT_TABLE, PUBLIC_BASE_URL } = environment;
const client = dynamoClient();
const audit = auditTrail(client, AUDIT_TABLE, logger);
const dependencies = {
  sessions: sessionAdministration(client, SESSION_TABLE, logger, audit),
  members: dynamoMembers(client, MEMBER_TABLE),
  now: Date.now,
};

/** The body is optional. */
const readUserId = ({ header, body }: AccountRequest): string | undefined =>
  body.length === 0
    ? undefined
    : parseBody(newLinkSchema, readJsonContent(header('content-type'), body)).user_id;

export const handler = credentialEndpoint(client, KEY_TABLE, async (request) => {
  if (environment.SIGN_IN_LINKS === 'false') throw LINKS_DISABLED;
  const { caller, baseUrl } = request;
  const actor = { caller, origin: requestOrigin(request) };
  const { token, stored } = await createLink(dependencies, actor, readUserId(request));
  return ok(linkObject(PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL, token, stored));
});
