import type { Endpoint } from '../../identity/api/endpoint.ts';
import { newStorageLimitSchema } from './storage-object.ts';

export const getCosts = {
  method: 'GET',
  path: '/v1/organization/costs',
  summary: 'Get costs by day',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const getVideoUsage = {
  method: 'GET',
  path: '/v1/organization/usage/videos',
  summary: 'Get seconds of video by day',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const getImageUsage = {
  method: 'GET',
  path: '/v1/organization/usage/images',
  summary: 'Get number of images by day',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const listCharges = {
  method: 'GET',
  path: '/v1/organization/charges',
  summary: 'List charge records',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const getSpendLimit = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/spend_limit',
  summary: 'Get the budget of the account',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const listRateLimits = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/rate_limits',
  summary: 'List the rate limits of the account',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const getStorageLimit = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/storage_limit',
  summary: 'Get the storage for kept items',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const setStorageLimit = {
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/storage_limit',
  summary: 'Set the limit of the storage for kept items',
  role: 'admin',
  key: 'admin',
  body: newStorageLimitSchema,
} as const satisfies Endpoint;

export const USAGE_ENDPOINTS = {
  getCosts,
  getVideoUsage,
  getImageUsage,
  listCharges,
  getSpendLimit,
  listRateLimits,
  getStorageLimit,
  setStorageLimit,
};
