import { ANSWER_EXAMPLES } from '../../platform/openapi/answer-examples.ts';
import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { EVERY_ANSWER, POLL_HINTS, RATE_LIMIT, REDIRECT } from '../../platform/openapi/parameters.ts';
import { REQUEST_EXAMPLES } from '../../platform/openapi/request-examples.ts';

const video = { dialect: 'native', tag: 'Videos' } as const;
const operation = answer('The operation.', jsonContent('NativeOperation', ANSWER_EXAMPLES.operation));

export const NATIVE_OPERATIONS: readonly Operation[] = [
  {
    ...video,
    method: 'post',
    path: '/v1beta/models/{model}:predictLongRunning',
    id: 'predictLongRunning',
    summary: 'Create a video task, native format',
    description: 'The same task as of /v1/videos, with the same rules, as a long-running operation.',
    parameters: ['VideoModel', 'IdempotencyKey'],
    body: jsonContent('NativeVideoRequest', REQUEST_EXAMPLES.nativeVideo),
    answers: {
      200: answer('The accepted task.', jsonContent('NativeOperation', ANSWER_EXAMPLES.acceptedOperation), {
        ...POLL_HINTS,
        ...RATE_LIMIT,
      }),
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
    answers: { 200: operation },
    errors: ['video_not_found'],
  },
  {
    ...video,
    method: 'get',
    path: '/v1beta/operations/{operation}',
    id: 'getOperation',
    summary: 'Query a video task by its id alone, native format',
    parameters: ['OperationId'],
    answers: { 200: operation },
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
    answers: { 302: { description: 'Where the file is.', headers: { ...EVERY_ANSWER, ...REDIRECT } } },
    errors: ['video_not_found', 'video_not_ready', 'video_failed', 'video_expired'],
  },
  {
    dialect: 'native',
    tag: 'Models',
    method: 'get',
    path: '/v1beta/models',
    id: 'listNativeModels',
    summary: 'List the models, native format',
    parameters: ['PageSize', 'PageToken'],
    answers: {
      200: answer('A page of the models.', jsonContent('NativeModelList', ANSWER_EXAMPLES.nativeModels)),
    },
  },
  {
    dialect: 'native',
    tag: 'Models',
    method: 'get',
    path: '/v1beta/models/{model}',
    id: 'getNativeModel',
    summary: 'Describe a model, native format',
    parameters: ['Model'],
    answers: { 200: answer('The model.', jsonContent('NativeModel', ANSWER_EXAMPLES.nativeModel)) },
    errors: ['model_not_found'],
  },
];
