import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoPeople } from './adapters/dynamo-people.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { removedPerson } from './api/people-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { readKeyChoice, removePerson } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  people: dynamoPeople(client, environment, logger),
  keys: keyAdministration(client, environment, logger),
};

export const handler = endpoint(PEOPLE_ENDPOINTS.removePerson, async (request) => {
  const id = request.path.user_id;
  await removePerson(ports, requestAction(request), id, readKeyChoice(request.query('keys')));
  return ok(removedPerson(id));
});
