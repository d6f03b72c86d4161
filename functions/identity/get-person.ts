import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoMembers } from './adapters/dynamo-members.ts';
import { getPerson } from './api/endpoints.ts';
import { personObject } from './api/people-object.ts';
import { endpoint } from './authentication/endpoint.ts';
import { requireOwnProject } from './usecases/manage-keys.ts';
import { findPerson } from './usecases/manage-people.ts';

export const ENVIRONMENT = KEYS;
const { KEY_TABLE, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const people = dynamoMembers(client, MEMBER_TABLE);

export const handler = endpoint(getPerson, client, KEY_TABLE, async ({ caller, path }) => {
  requireOwnProject(caller.account, path.project_id);
  return ok(personObject(await findPerson(people, caller.account, path.user_id)));
});
