import { KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoMembers } from './adapters/dynamo-members.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { personObject } from './api/people-object.ts';
import { client, jsonEndpoint } from './authentication/endpoint.ts';
import { findPerson } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE };
const { MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const people = dynamoMembers(client, MEMBER_TABLE);

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.getPerson, async ({ caller, path }) =>
  personObject(await findPerson(people, caller.account, path.user_id)),
);
