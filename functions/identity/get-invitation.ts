import { KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoInvitationList } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { invitationObject } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { findInvitation } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE };
const { MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const invitations = dynamoInvitationList(client, MEMBER_TABLE, logger);

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.getInvitation, async ({ caller, path }) =>
  invitationObject(await findInvitation(invitations, caller.account, path.invite_id), Date.now()),
);
