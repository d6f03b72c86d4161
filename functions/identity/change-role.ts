import { AUDIT, KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoPeople } from './adapters/dynamo-people.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { personObject } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { changeRole } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  people: dynamoPeople(client, environment, logger),
  keys: keyAdministration(client, environment, logger),
};

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.changeRole, async ({ path, body, action }) => {
  const change = { role: body.role, keyChoice: body.keys };
  return personObject(await changeRole(ports, action, path.user_id, change));
});
