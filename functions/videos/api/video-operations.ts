import { describeVideoModels } from '../../catalogue/domain/describe-models.ts';
import { ANY_VIDEO_MODEL, IMAGE_TYPES, VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { KEY_ID } from '../../identity/domain/api-key.ts';
import { PERSON_ID } from '../../identity/domain/person.ts';
import { TASK_ID } from '../../platform/domain/ids.ts';
import {
  type ApiPart,
  formContent,
  jsonContent,
  jsonResponse,
  redirect,
  response,
} from '../../platform/openapi/operation.ts';
import {
  afterParameter,
  beforeParameter,
  CREATE_TASK_HEADERS,
  fromParameter,
  type JsonSchema,
  listParameter,
  POLL_HEADERS,
  pathParameter,
  queryParameter,
  withoutRejectedFields,
} from '../../platform/openapi/parameters.ts';
import { TASK_STATUSES } from '../domain/task.ts';
import { VIDEO_ENDPOINTS } from './endpoints.ts';
import { openRouterVideoSchema } from './openrouter-video.ts';
import { createVideoSchema } from './read-video-request.ts';
import { VIDEO_REQUEST_EXAMPLES, VIDEO_RESPONSE_EXAMPLES } from './video-examples.ts';
import { videoListSchema } from './video-list.ts';
import {
  createdVideoSchema,
  deletedVideoSchema,
  INCLUDES,
  taskErrorSchema,
  videoSchema,
} from './video-object.ts';
import { referenceImage } from './video-options.ts';

const SCHEMAS = {
  OpenRouterVideo: openRouterVideoSchema,
  Video: videoSchema,
  CreatedVideo: createdVideoSchema,
  VideoList: videoListSchema,
  DeletedVideo: deletedVideoSchema,
  TaskError: taskErrorSchema,
  CreateVideo: createVideoSchema(ANY_VIDEO_MODEL),
  ReferenceImage: referenceImage,
};

const FILE = { type: 'string', format: 'binary' };

/** In a form, images are files and metadata is text. */
const FORM_FIELDS: Readonly<Record<string, object>> = {
  input_reference: FILE,
  last_frame: FILE,
  reference_images: { type: 'array', items: FILE, maxItems: ANY_VIDEO_MODEL.maxReferences },
  // Without a media type, because generators would treat it as a file.
  metadata: { type: 'string', description: 'The options as JSON text.' },
};

/** A form has the same fields as JSON and is parsed by the same schema. */
const toFormSchema = (schema: JsonSchema): JsonSchema =>
  withoutRejectedFields({
    ...schema,
    description:
      'A create request as a form. An image is a file, or the id of one in a field such as input_reference[file_id]. Unknown fields are rejected.',
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const inForm = FORM_FIELDS[name];
        return [name, inForm === undefined ? field : { description: Object(field).description, ...inForm }];
      }),
    ),
  });

const PARAMETERS = {
  TaskId: pathParameter('task_id', 'Identifier of the video task.', TASK_ID),
  After: afterParameter('tasks', TASK_ID),
  Status: queryParameter('status', 'Only tasks with this status.', TASK_STATUSES),
  ModelFilter: queryParameter('model', 'Only tasks with this model.', VIDEO_MODELS),
  ApiKeyId: queryParameter('api_key_id', 'Only tasks of this key or console session.', KEY_ID),
  TaskUserId: queryParameter('user_id', 'Only tasks of this person.', PERSON_ID),
  CreatedAfter: fromParameter('created_after', 'tasks created'),
  CreatedBefore: beforeParameter('created_before', 'tasks created'),
  Include: listParameter('include', 'Additional parts of a task.', INCLUDES),
  InputIndex: pathParameter('index', 'Position of the image in request.inputs, from 0.', {
    type: 'integer',
    minimum: 0,
    maximum: Math.max(2, ANY_VIDEO_MODEL.maxReferences) - 1,
  }),
  Variant: queryParameter('variant', 'Thumbnails and sprite sheets are not supported.', { const: 'video' }),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Repeating the request with the same key returns the same task for at least 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
};

const IMAGE_FILE = { contentType: IMAGE_TYPES.join(', ') };
const FILE_FIELDS = { input_reference: IMAGE_FILE, last_frame: IMAGE_FILE, reference_images: IMAGE_FILE };

export const CREATE_ERRORS = [
  'INVALID_ARGUMENT',
  'invalid_image',
  'remote_image_not_supported',
  'remote_image_not_loaded',
  'unknown_parameter',
  'not_offered',
  'model_not_found',
  'model_unavailable',
  'idempotency_key_reused',
  'insufficient_quota',
] as const;

const OPERATIONS = toOperations(VIDEO_ENDPOINTS, {
  createVideo: {
    description: `Returns as soon as the task is accepted. Every option can be at top level or in metadata, which takes precedence. A form can send metadata as JSON text or in fields such as metadata[resolution], and repeats reference_images for each file. Send seconds and size. Other names are accepted; the fields say which takes precedence. ${describeVideoModels()}`,
    parameters: ['IdempotencyKey'],
    body: {
      ...jsonContent('CreateVideo', VIDEO_REQUEST_EXAMPLES.createVideo),
      ...formContent('CreateVideoForm', FILE_FIELDS, VIDEO_REQUEST_EXAMPLES.createVideoForm),
    },
    responses: {
      ...jsonResponse(
        'The accepted task.',
        'CreatedVideo',
        VIDEO_RESPONSE_EXAMPLES.created,
        CREATE_TASK_HEADERS,
      ),
      202: response(
        'The accepted task of a request in the form of OpenRouter: with frame_images, input_references, a model such as google/veo-3.1, or from one of its clients.',
        jsonContent('OpenRouterVideo', VIDEO_RESPONSE_EXAMPLES.createdOpenRouter),
        CREATE_TASK_HEADERS,
      ),
    },
    errors: CREATE_ERRORS,
  },
  listVideos: {
    description:
      'With filters, a page can be empty while has_more is true, and last_id can be a task that is not on the page: continue after last_id.',
    parameters: [
      'Limit',
      'After',
      'Order',
      'Status',
      'ModelFilter',
      'ApiKeyId',
      'TaskUserId',
      'CreatedAfter',
      'CreatedBefore',
      'Include',
    ],
    responses: jsonResponse('A page of tasks.', 'VideoList', VIDEO_RESPONSE_EXAMPLES.list),
  },
  getVideo: {
    description:
      'Poll until the status is completed or failed. A task that was created in the form of OpenRouter is returned in that form.',
    parameters: ['Include'],
    responses: jsonResponse('The task.', 'Video', VIDEO_RESPONSE_EXAMPLES.video, POLL_HEADERS),
    errors: ['video_not_found'],
  },
  cancelVideo: {
    description:
      'Ends a task that has not been submitted to the generator: its status is failed, the code of its error is cancelled, and it is not charged. A task that was submitted, or may have been, cannot be cancelled. Cancelling a cancelled task returns it again.',
    responses: jsonResponse('The cancelled task.', 'Video', VIDEO_RESPONSE_EXAMPLES.cancelled),
    errors: ['video_not_found', 'video_in_progress', 'video_completed', 'video_failed', 'concurrent_update'],
  },
  deleteVideo: {
    description:
      'Deletes a task that has ended, or cancels and deletes one that has not been submitted. The charge record is kept.',
    responses: jsonResponse('The video is deleted.', 'DeletedVideo', VIDEO_RESPONSE_EXAMPLES.deleted),
    errors: ['video_not_found', 'video_in_progress', 'concurrent_update'],
  },
  downloadVideo: {
    description:
      'Redirects to the MP4 file, which supports range requests. Do not send the Authorization header to the redirect URL, which is already signed.',
    parameters: ['Variant'],
    responses: redirect('The URL of the file.'),
    errors: ['not_offered', 'video_not_found', 'video_not_ready', 'video_failed', 'video_expired'],
  },
  getVideoInput: {
    description:
      'Redirects to an input image of the task, as long as the task and its video are kept. An image that was given by its file id lives as long as the file.',
    responses: redirect('The URL of the image.'),
    errors: ['video_not_found', 'file_not_found'],
  },
});

export const VIDEO_API: ApiPart = {
  operations: OPERATIONS,
  schemas: SCHEMAS,
  forms: ({ CreateVideo = {} }) => ({ CreateVideoForm: toFormSchema(CreateVideo) }),
  parameters: PARAMETERS,
};
