import { modelNames } from '../../platform/body/model.ts';
import { VIDEO_MODELS } from '../../platform/domain/models.ts';
import { type ApiPart, jsonContent, type Operation, response } from '../../platform/openapi/operation.ts';
import {
  COMMON_HEADERS,
  POLL_HEADERS,
  pathParameter,
  queryParameter,
  RATE_LIMIT_HEADERS,
  REDIRECT_HEADERS,
} from '../../platform/openapi/parameters.ts';
import { nativeOperationSchema, nativeVideoRequestSchema } from './native-video.ts';
import { VIDEO_REQUEST_EXAMPLES, VIDEO_RESPONSE_EXAMPLES } from './video-examples.ts';
import { TASK_ID } from './video-operations.ts';

const SCHEMAS = { NativeVideoRequest: nativeVideoRequestSchema, NativeOperation: nativeOperationSchema };

const PARAMETERS = {
  VideoModel: pathParameter('model', 'A video model.', { type: 'string', ...modelNames(VIDEO_MODELS) }),
  OperationId: pathParameter('operation', 'Identifier of the video task.', TASK_ID),
  FileId: pathParameter('file', 'Identifier of the video task without task_.', {
    type: 'string',
    pattern: '^[0-9a-z]{26}$',
  }),
  Media: queryParameter('alt', 'Clients send it; it changes nothing.', { type: 'string', enum: ['media'] }),
};

const video = { dialect: 'native', tag: 'Videos' } as const;
const operation = response(
  'The operation.',
  jsonContent('NativeOperation', VIDEO_RESPONSE_EXAMPLES.operation),
);

const OPERATIONS: readonly Operation[] = [
  {
    ...video,
    method: 'post',
    path: '/v1beta/models/{model}:predictLongRunning',
    id: 'predictLongRunning',
    summary: 'Create a video task, native format',
    description: 'The same task as of /v1/videos, with the same rules, as a long-running operation.',
    parameters: ['VideoModel', 'IdempotencyKey'],
    body: jsonContent('NativeVideoRequest', VIDEO_REQUEST_EXAMPLES.native),
    responses: {
      200: response(
        'The accepted task.',
        jsonContent('NativeOperation', VIDEO_RESPONSE_EXAMPLES.acceptedOperation),
        {
          ...POLL_HEADERS,
          ...RATE_LIMIT_HEADERS,
        },
      ),
    },
    errors: [
      'INVALID_ARGUMENT',
      'invalid_image',
      'remote_image_not_supported',
      'not_offered',
      'model_not_found',
      'idempotency_key_reused',
    ],
  },
  {
    ...video,
    method: 'get',
    path: '/v1beta/models/{model}/operations/{operation}',
    id: 'getModelOperation',
    summary: 'Query a video task, native format',
    description: 'Poll until done is true. The id of the operation is that of the task.',
    parameters: ['VideoModel', 'OperationId'],
    responses: { 200: operation },
    errors: ['video_not_found'],
  },
  {
    ...video,
    method: 'get',
    path: '/v1beta/operations/{operation}',
    id: 'getOperation',
    summary: 'Query a video task by its id alone, native format',
    parameters: ['OperationId'],
    responses: { 200: operation },
    errors: ['video_not_found'],
  },
  {
    ...video,
    method: 'get',
    path: '/v1beta/files/{file}:download',
    id: 'downloadFile',
    summary: 'Download a video, native format',
    description: 'Redirects to the MP4 file, as the content of /v1/videos does.',
    parameters: ['FileId', 'Media'],
    responses: {
      302: { description: 'Where the file is.', headers: { ...COMMON_HEADERS, ...REDIRECT_HEADERS } },
    },
    errors: ['video_not_found', 'video_not_ready', 'video_failed', 'video_expired'],
  },
];

export const NATIVE_VIDEO_API: ApiPart = {
  operations: OPERATIONS,
  schemas: SCHEMAS,
  parameters: PARAMETERS,
};
