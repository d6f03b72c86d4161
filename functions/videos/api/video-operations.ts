import { IMAGE_TYPES } from '../../platform/domain/models.ts';
import { ANSWER_EXAMPLES } from '../../platform/openapi/answer-examples.ts';
import { answer, formContent, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { EVERY_ANSWER, POLL_HINTS, RATE_LIMIT, REDIRECT } from '../../platform/openapi/parameters.ts';
import { REQUEST_EXAMPLES } from '../../platform/openapi/request-examples.ts';

const common = { dialect: 'openAi', tag: 'Videos' } as const;

const IMAGE_FILE = { contentType: IMAGE_TYPES.join(', ') };
const FILE_FIELDS = {
  input_reference: IMAGE_FILE,
  last_frame: IMAGE_FILE,
  reference_images: IMAGE_FILE,
};

const CREATE_ERRORS = [
  'INVALID_ARGUMENT',
  'invalid_image',
  'remote_image_not_supported',
  'not_offered',
  'model_not_found',
  'idempotency_key_reused',
  'insufficient_quota',
] as const;

export const VIDEO_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'post',
    path: '/v1/videos',
    id: 'createVideo',
    summary: 'Create a video task',
    description:
      'Answers as soon as the task is accepted. Every option can be at top level or inside metadata, which counts first. A form may send metadata as JSON text or as metadata[resolution] and so on, and repeats reference_images for each file. The duration is durationSeconds, else duration, else seconds, else 8; the resolution is resolution, else that of size, else 720p; the aspect ratio is aspectRatio, else that of size, else 16:9. 1080p, 4k, reference images, and a first with a last frame need 8 seconds.',
    parameters: ['IdempotencyKey'],
    body: {
      ...jsonContent('CreateVideo', REQUEST_EXAMPLES.createVideo),
      ...formContent('CreateVideoForm', FILE_FIELDS, REQUEST_EXAMPLES.createVideoForm),
    },
    answers: {
      200: answer('The accepted task.', jsonContent('CreatedVideo', ANSWER_EXAMPLES.created), {
        ...POLL_HINTS,
        ...RATE_LIMIT,
      }),
    },
    errors: CREATE_ERRORS,
  },
  {
    ...common,
    method: 'get',
    path: '/v1/videos',
    id: 'listVideos',
    summary: 'List video tasks',
    description:
      'With filters, last_id can be a task that is not in the page, and a page can be empty while has_more is true: go on after last_id.',
    parameters: [
      'Limit',
      'After',
      'Order',
      'Status',
      'ModelFilter',
      'ApiKeyId',
      'CreatedAfter',
      'CreatedBefore',
      'Include',
    ],
    answers: { 200: answer('A page of tasks.', jsonContent('VideoList', ANSWER_EXAMPLES.list)) },
  },
  {
    ...common,
    method: 'get',
    path: '/v1/videos/{task_id}',
    id: 'getVideo',
    summary: 'Query a video task',
    description: 'Poll until the status is completed or failed.',
    parameters: ['TaskId', 'Include'],
    answers: { 200: answer('The task.', jsonContent('Video', ANSWER_EXAMPLES.video), POLL_HINTS) },
    errors: ['video_not_found'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/videos/{task_id}',
    id: 'deleteVideo',
    summary: 'Delete a video',
    description: 'For tasks that have ended. The charge record stays.',
    parameters: ['TaskId'],
    answers: { 200: answer('The video is gone.', jsonContent('DeletedVideo', ANSWER_EXAMPLES.deleted)) },
    errors: ['video_not_found', 'video_in_progress', 'concurrent_update'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/videos/{task_id}/content',
    id: 'downloadVideo',
    summary: 'Download a video',
    description:
      'Redirects to the MP4 file, which supports ranges. Do not send the Authorization header to the address of the redirect: it is signed by itself.',
    parameters: ['TaskId', 'Variant'],
    answers: {
      302: { description: 'Where the file is.', headers: { ...EVERY_ANSWER, ...REDIRECT } },
    },
    errors: ['not_offered', 'video_not_found', 'video_not_ready', 'video_failed', 'video_expired'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/video/generations',
    id: 'createGeneration',
    summary: 'Create a video task, generations style',
    description: 'The same task from the same fields as POST /v1/videos, as JSON alone.',
    parameters: ['IdempotencyKey'],
    body: jsonContent('CreateVideo', REQUEST_EXAMPLES.createVideo),
    answers: {
      200: answer('The accepted task.', jsonContent('CreatedGeneration', ANSWER_EXAMPLES.createdGeneration), {
        ...POLL_HINTS,
        ...RATE_LIMIT,
      }),
    },
    errors: CREATE_ERRORS,
  },
  {
    ...common,
    method: 'get',
    path: '/v1/video/generations/{task_id}',
    id: 'getGeneration',
    summary: 'Query a video task with its result address',
    parameters: ['TaskId'],
    answers: {
      200: answer(
        'The task and its address.',
        jsonContent('Generation', ANSWER_EXAMPLES.generation),
        POLL_HINTS,
      ),
    },
    errors: ['video_not_found'],
  },
];
