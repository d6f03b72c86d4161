import { modelNames } from '../../catalogue/api/model-field.ts';
import { ANY_VIDEO_MODEL, VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { TASK_ID } from '../../platform/domain/ids.ts';
import {
  type ApiPart,
  jsonContent,
  jsonResponse,
  redirect,
  response,
} from '../../platform/openapi/operation.ts';
import {
  CREATE_TASK_HEADERS,
  POLL_HEADERS,
  pathParameter,
  queryParameter,
} from '../../platform/openapi/parameters.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from './endpoints.ts';
import { createdGenerationSchema, generationSchema } from './generation-object.ts';
import { nativeOperationSchema, nativeVideoRequestSchema } from './native-video.ts';
import { VIDEO_REQUEST_EXAMPLES, VIDEO_RESPONSE_EXAMPLES } from './video-examples.ts';
import { CREATE_ERRORS } from './video-operations.ts';

const SCHEMAS = {
  CreatedGeneration: createdGenerationSchema,
  Generation: generationSchema,
  NativeVideoRequest: nativeVideoRequestSchema(ANY_VIDEO_MODEL),
  NativeOperation: nativeOperationSchema,
};

const PARAMETERS = {
  VideoModel: pathParameter('model', 'A video model.', modelNames(VIDEO_MODELS)),
  OperationId: pathParameter('operation', 'Identifier of the video task.', TASK_ID),
  FileId: pathParameter('file', 'Identifier of the video task without task_.', /^[0-9a-z]{26}$/),
  Media: queryParameter('alt', 'Sent by clients; ignored.', ['media']),
};

const operation = response(
  'The operation.',
  jsonContent('NativeOperation', VIDEO_RESPONSE_EXAMPLES.operation),
);

/** The same tasks as of /v1/videos, in the generations style and in the native format. */
const OPERATIONS = toOperations(ALTERNATIVE_VIDEO_ENDPOINTS, {
  createGeneration: {
    description: 'Creates the same task from the same fields as POST /v1/videos, but only as JSON.',
    parameters: ['IdempotencyKey'],
    body: jsonContent('CreateVideo', VIDEO_REQUEST_EXAMPLES.createVideo),
    responses: jsonResponse(
      'The accepted task.',
      'CreatedGeneration',
      VIDEO_RESPONSE_EXAMPLES.createdGeneration,
      CREATE_TASK_HEADERS,
    ),
    errors: CREATE_ERRORS,
  },
  getGeneration: {
    description:
      'Poll until the status is succeeded or failed. The URL in data.url is that of the download endpoint.',
    responses: jsonResponse(
      'The task with its URL.',
      'Generation',
      VIDEO_RESPONSE_EXAMPLES.generation,
      POLL_HEADERS,
    ),
    errors: ['video_not_found'],
  },
  predictLongRunning: {
    description:
      'Creates the same task as POST /v1/videos, with the same rules, as a long-running operation.',
    parameters: ['IdempotencyKey'],
    body: jsonContent('NativeVideoRequest', VIDEO_REQUEST_EXAMPLES.native),
    responses: jsonResponse(
      'The accepted task.',
      'NativeOperation',
      VIDEO_RESPONSE_EXAMPLES.acceptedOperation,
      CREATE_TASK_HEADERS,
    ),
    errors: CREATE_ERRORS,
  },
  getModelOperation: {
    description: 'Poll until done is true. The id of the operation is the id of the task.',
    responses: { 200: operation },
    errors: ['video_not_found'],
  },
  getOperation: {
    description: 'The same operation, for clients that know only its id.',
    responses: { 200: operation },
    errors: ['video_not_found'],
  },
  downloadFile: {
    description: 'Redirects to the MP4 file, as GET /v1/videos/{task_id}/content does.',
    parameters: ['Media'],
    responses: redirect('The URL of the file.'),
    errors: ['video_not_found', 'video_not_ready', 'video_failed', 'video_expired'],
  },
});

export const ALTERNATIVE_VIDEO_API: ApiPart = {
  operations: OPERATIONS,
  schemas: SCHEMAS,
  parameters: PARAMETERS,
};
