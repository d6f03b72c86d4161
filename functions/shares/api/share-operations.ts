import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { pageObject } from '../../platform/api/pages.ts';
import { HOUR } from '../../platform/domain/durations.ts';
import {
  type ApiPart,
  jsonContent,
  jsonResponse,
  redirect,
  response,
} from '../../platform/openapi/operation.ts';
import { afterParameter, pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import { SHARE_ID, type Share } from '../domain/share.ts';
import { SHARE_ENDPOINTS } from './endpoints.ts';
import * as objects from './share-object.ts';

const SCHEMAS = {
  CreateShare: objects.newShareSchema,
  Share: objects.shareSchema,
  CreatedShare: objects.createdShareSchema,
  ShareList: objects.shareListSchema,
  DeletedShare: objects.deletedShareSchema,
};

const PARAMETERS = {
  ShareId: pathParameter('share_id', 'Identifier of the share.', SHARE_ID),
  ShareToken: pathParameter('token', 'The secret part of the link.'),
  AfterShare: afterParameter('shares', SHARE_ID),
  SharedVideo: queryParameter('video_id', 'Only links to this video.'),
  SharedFile: queryParameter('file_id', 'Only links to this image.'),
  SharedCollection: queryParameter('collection_id', 'Only links to this collection.'),
  CollectedItem: queryParameter('item', 'The item of a collection, as its page names it.'),
  Download: queryParameter('download', 'With any value, browsers save the file instead of showing it.'),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);

const EXAMPLE: Share = {
  id: 'share_01kf0xw3g0a1b2c3d4e5f6g7h8',
  tokenHash: '',
  account: 'example',
  keyId: 'key_0123456789abcdef',
  item: { kind: 'video', id: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8', createdAt: CREATED_AT },
  showsPrompt: false,
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 24 * HOUR,
};
const EXAMPLE_TOKEN = '01kf0xw3g0a1b2c3d4e5f6g7h8a1b2c3d4e5f6g7h8';

const HTML = { 'text/html': { schema: { type: 'string' } } };
const MISSING = {
  404: response(
    'The same page for a link that is unknown, revoked or expired, or whose item was deleted or has expired.',
    HTML,
  ),
};

const OPERATIONS = toOperations(SHARE_ENDPOINTS, {
  createShare: {
    description:
      'Creates a link to a completed video, a generated image or a collection. Anyone who has the link can see and download the item, or all items of the collection as it is then, without an account, until the link expires or is revoked, or the item or collection is deleted or expires. The page shows the name of a collection, nothing else about the account, and prompts only if show_prompt is true.',
    body: jsonContent('CreateShare', {
      video: { video_id: EXAMPLE.item.id, expires_in_seconds: 86_400 },
      image: { file_id: 'file_01kf0xw3g1a1b2c3d4e5f6g7h8', show_prompt: true },
      collection: { collection_id: 'collection_01kf0xw3g0a1b2c3d4e5f6g7h8' },
    }),
    responses: jsonResponse('The share with its link, which is shown only once.', 'CreatedShare', {
      created: objects.createdShare(EXAMPLE, 'https://media.example.com', EXAMPLE_TOKEN),
    }),
    errors: [
      'unknown_parameter',
      'video_not_found',
      'file_not_found',
      'not_found',
      'video_not_ready',
      'video_failed',
      'video_expired',
      'share_limit',
    ],
  },
  listShares: {
    description: 'The links of the account that have not expired, newest first, without their secret part.',
    parameters: ['Limit', 'AfterShare', 'SharedVideo', 'SharedFile', 'SharedCollection'],
    responses: jsonResponse('A page of shares.', 'ShareList', {
      page: pageObject({ items: [EXAMPLE], hasMore: false }, objects.shareObject),
    }),
  },
  revokeShare: {
    description: 'The link stops working at once; a download that has begun may end within 5 minutes.',
    responses: jsonResponse('The link is revoked.', 'DeletedShare', {
      deleted: objects.deletedShare(EXAMPLE.id),
    }),
  },
  openShare: {
    description:
      'A page with the video, image or collection and download links. It needs no key and runs no script.',
    parameters: ['CollectedItem'],
    responses: { 200: response('The page.', HTML), ...MISSING },
  },
  getShareContent: {
    description: 'Redirects to the bytes. Needs no key.',
    parameters: ['CollectedItem', 'Download'],
    responses: { ...redirect('The URL of the bytes.'), ...MISSING },
  },
});

export const SHARE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
