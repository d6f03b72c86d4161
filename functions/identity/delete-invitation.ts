import { AUDIT, KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoInvitations } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { deletedInvitation } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { deleteInvitation } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const invitations = dynamoInvitations(client, environment, logger);

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.deleteInvitation, async ({ path, action }) => {
  const id = path.invite_id;
  await deleteInvitation(invitations, action, id);
  return deletedInvitation(id);
});
