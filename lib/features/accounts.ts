import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

const ORGANIZATION = '/v1/organization';
const PROJECT = `${ORGANIZATION}/projects/{project_id}`;

/** API keys, usage, charges and limits of an account, for the console and for admin keys. */
export const addAccounts = (resources: Resources): void => {
  addKeys(resources);
  addUsage(resources);
};

const addKeys = ({ config, functions, api, keys }: Resources): void => {
  const key = keys.find();
  const add = allOf(key, keys.add(), settings({ PRICES: JSON.stringify(config.prices) }));
  const list = functions.endpoint('list-keys', 'Lists API keys', allOf(key, keys.list()));
  const create = functions.endpoint('create-key', 'Creates an API key', add);
  const createByPath = functions.endpoint(
    'create-service-account-key',
    "Creates an API key at the SDK's path",
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

/** A file with years of charges takes many reads. */
const CHARGES_SECONDS = 300;

const addUsage = ({ functions, api, keys, usage, charges, accounts }: Resources): void => {
  const key = keys.find();
  const days = allOf(key, usage.read());
  const limits = allOf(key, accounts.readLimits());
  const listCharges = functions.create('list-charges', {
    description: 'Lists charge records',
    timeoutSeconds: CHARGES_SECONDS,
    memoryMegabytes: 1024,
    grants: allOf(key, charges.list()),
  });
  const costs = functions.endpoint('get-costs', 'Returns costs by day', days);
  const videos = functions.endpoint('get-video-usage', 'Returns seconds of video by day', days);
  const images = functions.endpoint('get-image-usage', 'Returns images by day', days);
  const spendLimit = functions.endpoint('get-spend-limit', 'Returns the budget of an account', limits);
  const rateLimits = functions.endpoint('list-rate-limits', 'Lists the rate limits of an account', limits);

  api.route('GET', `${ORGANIZATION}/costs`, costs);
  api.route('GET', `${ORGANIZATION}/usage/videos`, videos);
  api.route('GET', `${ORGANIZATION}/usage/images`, images);
  api.route('GET', `${ORGANIZATION}/charges`, listCharges, { streamSeconds: CHARGES_SECONDS });
  api.route('GET', `${PROJECT}/spend_limit`, spendLimit);
  api.route('GET', `${PROJECT}/rate_limits`, rateLimits);
};
