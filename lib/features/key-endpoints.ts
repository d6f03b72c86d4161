import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

const PROJECT = '/v1/organization/projects/{project_id}';

/** The keys of an account, for the console and for admin keys. */
export const addKeyEndpoints = ({ config, functions, api, keys }: Resources): void => {
  const key = keys.find();
  const add = allOf(key, keys.add(), settings({ PRICES: JSON.stringify(config.prices) }));
  const list = functions.endpoint('list-keys', 'Lists API keys', allOf(key, keys.list()));
  const create = functions.endpoint('create-key', 'Creates an API key', add);
  const createByPath = functions.endpoint(
    'create-service-account-key',
    'Creates an API key, by the path of the SDK',
    add,
  );
  const revoke = functions.endpoint(
    'revoke-key',
    'Revokes an API key',
    allOf(key, keys.list(), keys.revoke()),
  );

  api.route('GET', `${PROJECT}/api_keys`, list);
  api.route('POST', `${PROJECT}/api_keys`, create);
  api.route('DELETE', `${PROJECT}/api_keys/{key_id}`, revoke);
  api.route('POST', `${PROJECT}/service_accounts/{service_account_id}/api_keys`, createByPath);
};
