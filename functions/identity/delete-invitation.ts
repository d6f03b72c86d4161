import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoInvitations } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { deletedInvitation } from './api/people-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { deleteInvitation } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const invitations = dynamoInvitations(client, environment, logger);

export const handler = endpoint(PEOPLE_ENDPOINTS.deleteInvitation, async (request) => {
  const id = request.path.invite_id;
  await deleteInvitation(invitations, requestAction(request), id);
  return ok(deletedInvitation(id));
});
