import { PRICES } from '../catalogue/settings.ts';
import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoMembers } from './adapters/dynamo-members.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { createdKey, newKeyTerms } from './api/key-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { createKey } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT, ...PRICES };
const environment = readEnvironment(ENVIRONMENT);
const { PRICES: prices } = environment;
const keys = keyAdministration(client, environment, logger);

const members = dynamoMembers(client, environment.MEMBER_TABLE);

export const handler = jsonEndpoint(KEY_ENDPOINTS.createKey, async ({ caller, body, action }) => {
  const terms = newKeyTerms(body);
  const { key, stored } = await createKey({ keys, prices }, action, terms);
  const owner = stored.ownerId === undefined ? undefined : await members.find(caller.account, stored.ownerId);
  return createdKey(stored, key, owner);
});
