import type { Endpoint } from '../../identity/api/endpoint.ts';
import { newShareSchema, readShareQuery } from './share-object.ts';

export const createShare = {
  method: 'POST',
  path: '/v1/shares',
  summary: 'Create a share link',
  role: 'member',
  access: 'uncached',
  body: newShareSchema,
} as const satisfies Endpoint;

export const listShares = {
  method: 'GET',
  path: '/v1/shares',
  summary: 'List share links',
  role: 'viewer',
  query: readShareQuery,
} as const satisfies Endpoint;

export const revokeShare = {
  method: 'DELETE',
  path: '/v1/shares/{share_id}',
  summary: 'Revoke a share link',
  role: 'member',
} as const satisfies Endpoint;

export const openShare = {
  method: 'GET',
  path: '/s/{token}',
  summary: 'Open a share link',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getShareContent = {
  method: 'GET',
  path: '/s/{token}/content',
  summary: 'Download a shared video or image',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const SHARE_ENDPOINTS = { createShare, listShares, revokeShare, openShare, getShareContent };
