import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoPeople } from './adapters/dynamo-people.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { personObject } from './api/people-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { changeRole } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  people: dynamoPeople(client, environment, logger),
  keys: keyAdministration(client, environment, logger),
};

export const handler = endpoint(PEOPLE_ENDPOINTS.changeRole, async (request) => {
  const { path, body } = request;
  const change = { role: body.role, keyChoice: body.keys };
  return ok(personObject(await changeRole(ports, requestAction(request), path.user_id, change)));
});
