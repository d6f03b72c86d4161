import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoMemberList } from './adapters/dynamo-people.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { personList } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { listPeople } from './usecases/manage-people.ts';

export const ENVIRONMENT = KEYS;
const { MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const people = dynamoMemberList(client, MEMBER_TABLE, logger);

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.listPeople, async ({ caller, query }) => {
  const { items, hasMore } = await listPeople(people, caller.account, query);
  return personList(items, hasMore);
});
