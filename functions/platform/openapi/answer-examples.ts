import { chatCompletion } from '../../images/api/chat-completion.ts';
import { imagesResponse } from '../../images/api/images-response.ts';
import { nativeAnswer } from '../../images/api/native-image.ts';
import type { GeneratedImage } from '../../images/domain/image-request.ts';
import { modelList, nativeModel, nativeModelList } from '../../models/api/models.ts';
import { createdGenerationObject, generationObject } from '../../videos/api/generation-object.ts';
import { nativeOperation } from '../../videos/api/native-video.ts';
import { videoList } from '../../videos/api/video-list.ts';
import { createdVideoObject, deletedVideoObject, videoObject } from '../../videos/api/video-object.ts';
import type { Task } from '../../videos/domain/task.ts';
import { newTask } from '../../videos/domain/transitions.ts';
import { PIXEL } from '../body/image.ts';
import { DEFAULT_ALIASES, IMAGE_MODEL } from '../domain/models.ts';

/** Examples of answers, built by what builds the answers. */

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

const queued = newTask({
  id: 'task_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  keyId: 'key_example',
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
const timedOut: Task = {
  ...failed,
  error: { code: 'generation_timeout', message: 'The generator did not finish in time.' },
};

const generated: GeneratedImage = {
  outcome: 'image',
  image: { mimeType: 'image/png', base64: PIXEL },
  text: 'Here is your fox.',
  cutShort: false,
  tokens: { prompt: 6, output: 1120, total: 1126 },
  document: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'Here is your fox.' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1120, totalTokenCount: 1126 },
  },
};
const BASE_URL = 'https://api.example.com';
const envelope = { requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef', time: CREATED_AT };
const models = modelList(DEFAULT_ALIASES);

export const ANSWER_EXAMPLES = {
  created: { queued: createdVideoObject(queued) },
  video: {
    queued: videoObject(queued),
    in_progress: videoObject(inProgress),
    completed: videoObject(completed),
    failed: videoObject(failed),
  },
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
  },
  models: { models },
  model: { model: models.data.find(({ id }) => id === IMAGE_MODEL) },
  nativeModels: { models: nativeModelList(() => undefined) },
  nativeModel: { image: nativeModel(IMAGE_MODEL) },
  native: { image: nativeAnswer(generated) },
  nativeList: { image: [nativeAnswer(generated)] },
  images: { image: imagesResponse(CREATED_AT, generated) },
  chat: {
    markdown: chatCompletion(envelope, generated, 'markdown'),
    images: chatCompletion(envelope, generated, 'list'),
  },
} as const;
