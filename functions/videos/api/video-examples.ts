import { PIXEL } from '../../catalogue/api/image.ts';
import { VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { DAY, SECOND } from '../../platform/domain/durations.ts';
import { newTask, type Task } from '../domain/task.ts';
import { cancelled } from '../domain/transitions.ts';
import { createdGenerationObject, generationObject } from './generation-object.ts';
import { nativeOperation } from './native-video.ts';
import { openRouterVideoObject } from './openrouter-video.ts';
import { videoList } from './video-list.ts';
import { createdVideoObject, deletedVideoObject, videoObject } from './video-object.ts';

const [model] = VIDEO_MODELS;
const prompt = 'A fox runs through fresh snow at sunrise, quiet footsteps';
const image = { bytesBase64Encoded: PIXEL, mimeType: 'image/png' };

/** Can be sent as they are. */
export const VIDEO_REQUEST_EXAMPLES = {
  createVideo: {
    text: { model, prompt, seconds: '8', size: '1280x720' },
    metadata: {
      model,
      prompt,
      metadata: {
        durationSeconds: 8,
        resolution: '1080p',
        aspectRatio: '9:16',
        negativePrompt: 'text',
        seed: 7,
      },
    },
    first_and_last_frame: {
      model,
      prompt,
      input_reference: `data:image/png;base64,${PIXEL}`,
      last_frame: image,
    },
    reference_images: {
      model,
      prompt,
      metadata: { reference_images: [{ image, referenceType: 'asset' }] },
    },
  },
  createVideoForm: { text: { model, prompt, seconds: '8', size: '720x1280' } },
  native: {
    text: {
      instances: [{ prompt }],
      parameters: { durationSeconds: 8, aspectRatio: '16:9', sampleCount: 1 },
    },
    first_and_last_frame: { instances: [{ prompt, image, lastFrame: image }] },
    reference_images: { instances: [{ prompt, referenceImages: [{ image, referenceType: 'asset' }] }] },
  },
} as const;

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);

const queued = newTask({
  id: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  keyId: 'key_example',
  personId: 'user_0123456789abcdef0123456789abcdef',
  createdAt: CREATED_AT,
  fingerprint: '',
  request: {
    model: 'video-3.1-generate-preview',
    prompt: 'A fox runs through fresh snow at sunrise, quiet footsteps',
    seconds: 8,
    resolution: '720p',
    aspectRatio: '16:9',
    negativePrompt: undefined,
    seed: undefined,
    mode: 'text',
    inputs: [],
  },
});
const inProgress: Task = { ...queued, status: 'in_progress', submittedAt: CREATED_AT + SECOND };
const completed: Task = {
  ...inProgress,
  status: 'completed',
  completedAt: CREATED_AT + 70 * SECOND,
  expiresAt: CREATED_AT + 7 * DAY,
};
const failed: Task = {
  ...inProgress,
  status: 'failed',
  error: { code: 'content_blocked', message: 'The generator withheld the video.' },
};
const cancelledTask = cancelled(queued, CREATED_AT + SECOND);
const timedOut: Task = {
  ...failed,
  error: { code: 'generation_timeout', message: 'The generator did not finish in time.' },
};

const BASE_URL = 'https://api.example.com';

export const VIDEO_RESPONSE_EXAMPLES = {
  created: { queued: createdVideoObject(queued) },
  createdOpenRouter: { pending: openRouterVideoObject(queued, { baseUrl: BASE_URL, now: queued.createdAt }) },
  video: {
    queued: videoObject(queued),
    in_progress: videoObject(inProgress),
    completed: videoObject(completed),
    failed: videoObject(failed),
  },
  cancelled: { cancelled: videoObject(cancelledTask) },
  list: { page: videoList({ tasks: [completed], hasMore: false }) },
  deleted: { deleted: deletedVideoObject(completed.id) },
  createdGeneration: { queued: createdGenerationObject(queued) },
  generation: {
    processing: generationObject(inProgress, BASE_URL),
    succeeded: generationObject(completed, BASE_URL),
    failed: generationObject(failed, BASE_URL),
  },
  acceptedOperation: { accepted: nativeOperation(queued, BASE_URL) },
  operation: {
    pending: nativeOperation(inProgress, BASE_URL),
    done: nativeOperation(completed, BASE_URL),
    filtered: nativeOperation(failed, BASE_URL),
    failed: nativeOperation(timedOut, BASE_URL),
    cancelled: nativeOperation(cancelledTask, BASE_URL),
  },
} as const;
