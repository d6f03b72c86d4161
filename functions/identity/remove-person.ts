import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoPeople } from './adapters/dynamo-people.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { removePerson as removePersonEndpoint } from './api/endpoints.ts';
import { removedPerson } from './api/people-object.ts';
import { client, endpoint, logger } from './authentication/endpoint.ts';
import { requestAction } from './domain/audit.ts';
import { requireOwnProject } from './usecases/manage-keys.ts';
import { readKeyChoice, removePerson } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  people: dynamoPeople(client, environment, logger),
  keys: keyAdministration(client, environment, logger),
};

export const handler = endpoint(removePersonEndpoint, async (request) => {
  const { caller, path, query } = request;
  requireOwnProject(caller.account, path.project_id);
  const id = path.user_id;
  await removePerson(ports, requestAction(request), id, readKeyChoice(query('keys')));
  return ok(removedPerson(id));
});
