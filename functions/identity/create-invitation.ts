import { AUDIT, KEYS, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoInvitations, dynamoMemberList } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { createdInvitation } from './api/people-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { invite } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PUBLIC_ADDRESS };
const environment = readEnvironment(ENVIRONMENT);
const { MEMBER_TABLE, PUBLIC_BASE_URL } = environment;
const ports = {
  people: dynamoMemberList(client, MEMBER_TABLE, logger),
  invitations: dynamoInvitations(client, environment, logger),
};

export const handler = endpoint(PEOPLE_ENDPOINTS.createInvitation, async (request) => {
  const { body, baseUrl } = request;
  const { email, role } = body;
  const { token, stored } = await invite(ports, requestAction(request), { email: email ?? '', role });
  return ok(createdInvitation(PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL, token, stored));
});
