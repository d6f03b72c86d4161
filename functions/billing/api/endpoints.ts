import { GET, POST, PROJECT } from '../../identity/api/declare-endpoint.ts';
import { newStorageLimitSchema } from './storage-object.ts';

export const USAGE_ENDPOINTS = {
  getCosts: GET('/v1/organization/costs', 'Get costs by day', 'viewer'),
  getVideoUsage: GET('/v1/organization/usage/videos', 'Get seconds of video by day', 'viewer'),
  getImageUsage: GET('/v1/organization/usage/images', 'Get number of images by day', 'viewer'),
  listCharges: GET('/v1/organization/charges', 'List charge records', 'viewer'),
  getSpendLimit: GET(`${PROJECT}/spend_limit`, 'Get the budget of the account', 'viewer'),
  listRateLimits: GET(`${PROJECT}/rate_limits`, 'List the rate limits of the account', 'viewer'),
  getStorageLimit: GET(`${PROJECT}/storage_limit`, 'Get the storage for kept items', 'viewer'),
  setStorageLimit: POST(`${PROJECT}/storage_limit`, 'Set the limit of the storage for kept items', 'admin', {
    body: newStorageLimitSchema,
  }),
};
