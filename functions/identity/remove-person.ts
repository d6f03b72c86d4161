import { readChoice } from '../platform/api/parameters.ts';
import { AUDIT, KEYS, PEOPLE, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoPeople } from './adapters/dynamo-people.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { PEOPLE_ENDPOINTS } from './api/endpoints.ts';
import { removedPerson } from './api/people-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { KEY_CHOICES } from './domain/people.ts';
import { removePerson } from './usecases/manage-people.ts';

export const ENVIRONMENT = { ...KEYS, ...PEOPLE, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const ports = {
  people: dynamoPeople(client, environment, logger),
  keys: keyAdministration(client, environment, logger),
};

export const handler = jsonEndpoint(PEOPLE_ENDPOINTS.removePerson, async ({ path, action, query }) => {
  const id = path.user_id;
  await removePerson(ports, action, id, readChoice(query, 'keys', KEY_CHOICES));
  return removedPerson(id);
});
