import { AUDIT, KEYS, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { auditTrail } from './adapters/audit-trail.ts';
import { dynamoMembers } from './adapters/dynamo-members.ts';
import { sessionAdministration } from './adapters/dynamo-sessions.ts';
import { SESSION_ENDPOINTS } from './api/endpoints.ts';
import { linkObject } from './api/session-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { SIGN_IN_LINKS } from './settings.ts';
import { createLink, LINKS_DISABLED } from './usecases/manage-sessions.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PUBLIC_ADDRESS, ...SIGN_IN_LINKS };
const environment = readEnvironment(ENVIRONMENT);
const { SESSION_TABLE, MEMBER_TABLE, AUDIT_TABLE } = environment;
const audit = auditTrail(client, AUDIT_TABLE, logger);
const dependencies = {
  sessions: sessionAdministration(client, SESSION_TABLE, logger, audit),
  members: dynamoMembers(client, MEMBER_TABLE),
};

export const handler = jsonEndpoint(SESSION_ENDPOINTS.createLink, async ({ publicUrl, body, action }) => {
  if (environment.SIGN_IN_LINKS === 'false') throw LINKS_DISABLED;
  const { token, stored } = await createLink(dependencies, action, body.user_id);
  return linkObject(publicUrl, token, stored);
});
