import { PRICES } from '../catalogue/settings.ts';
import { ACCOUNTS, AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoKeyUses } from './adapters/dynamo-key-uses.ts';
import { dynamoMembers } from './adapters/dynamo-members.ts';
import { keyAdministration } from './adapters/key-administration.ts';
import { KEY_ENDPOINTS } from './api/endpoints.ts';
import { keyObject, readKeyChange } from './api/key-object.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';
import { changeKey } from './usecases/manage-keys.ts';

export const ENVIRONMENT = { ...KEYS, ...ACCOUNTS, ...AUDIT, ...PRICES };
const environment = readEnvironment(ENVIRONMENT);
const { ACCOUNT_TABLE, PRICES: prices } = environment;
const keys = keyAdministration(client, environment, logger);
const uses = dynamoKeyUses(client, ACCOUNT_TABLE, logger);

const members = dynamoMembers(client, environment.MEMBER_TABLE);

export const handler = jsonEndpoint(KEY_ENDPOINTS.updateKey, async ({ caller, path, body, action }) => {
  const change = readKeyChange(body, action.at);
  const key = await changeKey({ keys, prices }, action, path.key_id, change);
  const owner = key.ownerId === undefined ? undefined : await members.find(caller.account, key.ownerId);
  const lastCharges = await uses.lastCharges(caller.account, [key.id]);
  return keyObject({ key, owner, lastCharge: lastCharges.get(key.id) }, action.at);
});
