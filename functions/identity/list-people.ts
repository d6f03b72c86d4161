import { pageObject } from '../platform/api/pages.ts';
import { KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { personObject } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { listPeople } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE };
const { MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const people = memberDirectory(client, MEMBER_TABLE, logger);

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.listPeople, async ({ caller, query }) =>
  pageObject(await listPeople(people, caller.account, query), personObject),
);
