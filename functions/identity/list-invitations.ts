import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoInvitationList } from './adapters/dynamo-people.ts';
import { invitationList, readPageQuery } from './api/people-object.ts';
import { adminEndpoint, logger } from './authentication/endpoint.ts';
import { listInvitations } from './usecases/manage-invitations.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const invitations = dynamoInvitationList(client, MEMBER_TABLE, logger);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, query }) => {
  const { items, hasMore } = await listInvitations(invitations, caller.account, readPageQuery(query));
  return ok(invitationList(items, hasMore, Date.now()));
});
