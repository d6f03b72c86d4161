import { AUDIT, KEYS, PEOPLE, PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { dynamoInvitations } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { createdInvitation } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { invite } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE, ...AUDIT, ...PUBLIC_ADDRESS };
const environment = readEnvironment(ENVIRONMENT);
const { MEMBER_TABLE } = environment;
const ports = {
  people: memberDirectory(client, MEMBER_TABLE, logger),
  invitations: dynamoInvitations(client, environment, logger),
};

export const handler = jsonEndpoint(
  PEOPLE_ENDPOINTS.createInvitation,
  async ({ body, publicUrl, action }) => {
    const { email, role } = body;
    const { token, stored } = await invite(ports, action, { email: email ?? '', role });
    return createdInvitation(publicUrl, token, stored);
  },
);
