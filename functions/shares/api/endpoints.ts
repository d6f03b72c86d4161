import { declareFor } from '../../identity/api/declare-endpoint.ts';
import { newShareSchema, readShareQuery } from './share-object.ts';

const { DELETE, GET, POST } = declareFor('shares');

export const SHARE_ENDPOINTS = {
  createShare: POST('/v1/shares', 'Create a share link', 'member', {
    access: 'uncached',
    body: newShareSchema,
  }),
  listShares: GET('/v1/shares', 'List share links', 'viewer', { query: readShareQuery }),
  revokeShare: DELETE('/v1/shares/{share_id}', 'Revoke a share link', 'member'),
  openShare: GET('/s/{token}', 'Open a share link', 'public'),
  getShareContent: GET('/s/{token}/content', 'Download a shared video or image', 'public'),
};
