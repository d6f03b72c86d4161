import { ACCESSES } from '../../accounts/api/key-object.ts';
import { USAGE_PARAMETERS } from '../../accounts/api/usage-operations.ts';
import { MAX_FILES } from '../../files/api/file-object.ts';
import { FILE_ID, FILE_PURPOSES } from '../../files/domain/files.ts';
import { INCLUDES } from '../../videos/api/video-object.ts';
import { TASK_STATUSES } from '../../videos/domain/task.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, ORDERS } from '../api/parameters.ts';
import { modelNames } from '../body/model.ts';
import { KEY_ID } from '../domain/api-key.ts';
import { IMAGE_MODEL, MODELS, VIDEO_MODELS } from '../domain/models.ts';

const UNIX_SECONDS = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };
const TASK_ID = { type: 'string', pattern: '^task_[0-9a-z]{26}$' };
const ENDPOINT_ID = { type: 'string', pattern: '^we_[0-9a-z]{26}$' };
const DELIVERY_ID = { type: 'string', pattern: '^wd_[0-9a-z]{26}$' };
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
  ...USAGE_PARAMETERS,
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
  StoredFileId: inPath('file_id', 'Identifier of the file.', { type: 'string', pattern: FILE_ID.source }),
  FileLimit: inQuery('limit', 'Most files of the page; long names make it shorter, and has_more tells.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_FILES,
    default: MAX_FILES,
  }),
  AfterFile: inQuery('after', 'The page after this file: last_id of the page before.', {
    type: 'string',
    pattern: FILE_ID.source,
  }),
  Purpose: inQuery('purpose', 'Only files of this purpose.', { type: 'string', enum: FILE_PURPOSES }),
  SessionId: inPath('session_id', 'A session, `current` for the one that asks, or `all`.', {
    type: 'string',
    pattern: '^(sess_[0-9a-f]{32}|current|all)$',
  }),
  ConsolePath: inPath('path', 'A page of the console, or one of its files.', { type: 'string' }),
  ProjectId: inPath('project_id', 'The account.', { type: 'string' }),
  ServiceAccountId: inPath('service_account_id', 'The account once more: it has one service account.', {
    type: 'string',
  }),
  KeyId: inPath('key_id', 'Identifier of the key.', { type: 'string' }),
  AfterKey: inQuery('after', 'The page after this key: last_id of the page before.', { type: 'string' }),
  OwnerProjectAccess: inQuery('owner_project_access', 'Only keys that work, or that do not.', {
    type: 'string',
    enum: ACCESSES,
    default: 'any',
  }),
  WebhookEndpointId: inPath('webhook_endpoint_id', 'Identifier of the webhook endpoint.', ENDPOINT_ID),
  AfterWebhookEndpoint: inQuery(
    'after',
    'The page after this endpoint: last_id of the page before.',
    ENDPOINT_ID,
  ),
  DeliveryId: inPath('delivery_id', 'Identifier of the delivery.', DELIVERY_ID),
  AfterDelivery: inQuery('after', 'The page after this delivery: last_id of the page before.', DELIVERY_ID),
  Status: inQuery('status', 'Only tasks in this state.', { type: 'string', enum: TASK_STATUSES }),
  ModelFilter: inQuery('model', 'Only tasks of this model.', { type: 'string', enum: VIDEO_MODELS }),
  ApiKeyId: inQuery('api_key_id', 'Only tasks of this key or console session.', {
    type: 'string',
    pattern: KEY_ID.source,
  }),
  CreatedAfter: inQuery('created_after', 'Only tasks from this Unix second on.', UNIX_SECONDS),
  CreatedBefore: inQuery('created_before', 'Only tasks before this Unix second.', UNIX_SECONDS),
  Include: {
    ...inQuery('include[]', 'Further parts of a task.', {
      type: 'array',
      items: { type: 'string', enum: INCLUDES },
    }),
    explode: true,
  },
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

/** The headers of answers, by the name they have in the document's components. */

const text = (description: string, schema: object = {}) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});
const seconds = text('Seconds to wait before asking again.', { pattern: '^[0-9]+$' });

const WHOLE = { pattern: '^[0-9]+$' };

export const HEADERS = {
  RequestId: text('Identifies the request in the service’s logs.'),
  RetryAfter: seconds,
  PollAfter: {
    ...text('Milliseconds to wait before polling again; absent once the task has ended.', {
      pattern: '^[0-9]+$',
    }),
    required: false,
  },
  PollRetryAfter: { ...seconds, required: false },
  ShouldRetry: text('Repeating the request cannot help.', { const: 'false' }),
  MayNotRetry: {
    ...text('Sent where repeating the request cannot help.', { const: 'false' }),
    required: false,
  },
  RateLimit: { ...text('Creates a minute, where the account is limited.', WHOLE), required: false },
  RateRemaining: { ...text('How many of them are left in this minute.', WHOLE), required: false },
  RateReset: { ...text('When the minute ends.', { pattern: '^[0-9]+s$' }), required: false },
  Location: text('A signed address that holds for at most 5 minutes.', { format: 'uri' }),
  CacheControl: {
    ...text('Answers are not to be kept; the gateway leaves it out of what it refuses itself.'),
    required: false,
  },
  SetCookie: text('The session, for this browser alone.'),
  AllowOrigin: text('Tools in a browser may read it.', { const: '*' }),
  NoStore: text('The address is for this client and this moment.', { const: 'no-store' }),
} as const;

type HeaderComponent = keyof typeof HEADERS;
const ref = (name: HeaderComponent) => ({ $ref: `#/components/headers/${name}` });

export const EVERY_ANSWER = { 'x-request-id': ref('RequestId'), 'cache-control': ref('CacheControl') };
export const POLL_HINTS = { 'openai-poll-after-ms': ref('PollAfter'), 'retry-after': ref('PollRetryAfter') };
export const RATE_LIMIT = {
  'x-ratelimit-limit-requests': ref('RateLimit'),
  'x-ratelimit-remaining-requests': ref('RateRemaining'),
  'x-ratelimit-reset-requests': ref('RateReset'),
};
export const FOR_BROWSERS = { 'access-control-allow-origin': ref('AllowOrigin') };
export const SIGNS_IN = { 'set-cookie': ref('SetCookie') };
export const REDIRECT = { location: ref('Location'), 'cache-control': ref('NoStore') };

/** As `errorHeaders` of the dialects sends them. */
export const errorHeaderRefs = (status: number, retry: 'never' | 'some' | 'all' = 'all') => ({
  ...EVERY_ANSWER,
  ...(retry === 'never' ? { 'x-should-retry': ref('ShouldRetry') } : {}),
  ...(retry === 'some' ? { 'x-should-retry': ref('MayNotRetry') } : {}),
  ...(status === 429 || status === 503 ? { 'retry-after': ref('RetryAfter') } : {}),
  ...(status === 429 ? RATE_LIMIT : {}),
});
