import { type ApiPart, jsonContent, type Operation, response } from '../../platform/openapi/operation.ts';
import { pathParameter } from '../../platform/openapi/parameters.ts';
import { type ItemObject, itemChangeSchema, itemSchema } from './item-object.ts';

const SCHEMAS = { UpdateItem: itemChangeSchema, LibraryItem: itemSchema };

const PARAMETERS = {
  ItemId: pathParameter('item_id', 'Identifier of a video or of a generated image.', { type: 'string' }),
};

const EXAMPLE: ItemObject = {
  id: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8',
  object: 'library.item',
  kind: 'video',
  name: 'Paper boat, final cut',
  kept: true,
  expires_at: null,
};

const OPERATIONS: readonly Operation[] = [
  {
    dialect: 'openAi',
    tag: 'Library',
    method: 'post',
    path: '/v1/library/{item_id}',
    id: 'updateItem',
    summary: 'Rename, keep or release a video or image',
    description:
      'A kept item is stored until it is released or deleted, and counts towards the storage limit of the account. Input images of a video are not kept with it.',
    parameters: ['ItemId'],
    body: jsonContent('UpdateItem', { keep: { kept: true }, rename: { name: EXAMPLE.name } }),
    responses: {
      200: response('The item after the change.', jsonContent('LibraryItem', { kept: EXAMPLE })),
    },
    errors: [
      'unknown_parameter',
      'video_not_found',
      'file_not_found',
      'video_not_ready',
      'video_failed',
      'video_expired',
      'concurrent_update',
      'insufficient_quota',
    ],
  },
];

export const LIBRARY_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
