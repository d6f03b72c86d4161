import { IMAGE_MODEL, MODELS, VIDEO_MODELS } from '../../domain/models.ts';
import { modelNames } from '../body/model.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, ORDERS } from '../parameters.ts';

const TASK_ID = { type: 'string', pattern: '^task_[0-9a-z]{26}$' };
const inPath = (name: string, description: string, schema: object) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
const inQuery = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});

export const PARAMETERS = {
  TaskId: inPath('task_id', 'Identifier of the video task.', TASK_ID),
  CharacterId: inPath('character_id', 'Not supported.', { type: 'string' }),
  Model: inPath('model', 'A model of this service.', { type: 'string', ...modelNames(MODELS) }),
  ImageModel: inPath('model', 'The image model.', { type: 'string', ...modelNames([IMAGE_MODEL]) }),
  VideoModel: inPath('model', 'A video model.', { type: 'string', ...modelNames(VIDEO_MODELS) }),
  OperationId: inPath('operation', 'Identifier of the video task.', TASK_ID),
  FileId: inPath('file', 'Identifier of the video task without task_.', {
    type: 'string',
    pattern: '^[0-9a-z]{26}$',
  }),
  Media: inQuery('alt', 'Clients send it; it changes nothing.', { type: 'string', enum: ['media'] }),
  Limit: inQuery('limit', 'Most items of the page; long prompts make it shorter, and has_more tells.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  After: inQuery('after', 'The page after this task: last_id of the page before.', TASK_ID),
  Order: inQuery('order', 'By time of creation.', { type: 'string', enum: ORDERS, default: 'desc' }),
  Variant: inQuery('variant', 'Thumbnails and sprite sheets are not supported.', {
    type: 'string',
    const: 'video',
  }),
  Alt: inQuery('alt', 'sse for server-sent events; a list otherwise.', { type: 'string', enum: ['sse'] }),
  PageSize: inQuery('pageSize', 'Most models of the page; all unless given.', {
    type: 'integer',
    minimum: 1,
  }),
  PageToken: inQuery('pageToken', 'The next page: nextPageToken of the page before.', { type: 'string' }),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and request give the same task for at least 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
} as const;

export type ParameterName = keyof typeof PARAMETERS;
export const parameterRef = (name: ParameterName) => ({ $ref: `#/components/parameters/${name}` });
