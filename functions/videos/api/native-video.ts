import * as z from 'zod/mini';
import { image, readImagePlace } from '../../catalogue/api/image.ts';
import { personGeneration } from '../../catalogue/api/request-fields.ts';
import { isRemoteImage } from '../../catalogue/domain/input-image.ts';
import {
  MAX_PROMPT_CHARACTERS,
  type VideoModel,
  type VideoModelEntry,
} from '../../catalogue/domain/models.ts';
import { isFields, namedField, writtenNames } from '../../platform/body/fields.ts';
import { type NotingPayload, notingTransform } from '../../platform/body/ignored-fields.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  filledList,
  forbidden,
  lenientFields,
  limitedText,
  map,
  optional,
  says,
} from '../../platform/body/schema.ts';
import { noteUnread } from '../../platform/body/unknown-fields.ts';
import { TASK_PREFIX } from '../../platform/domain/ids.ts';
import type { VideoErrorCode } from '../../upstream/domain/video-generator.ts';
import type { Task } from '../domain/task.ts';
import type { VideoDraft } from '../domain/video-request.ts';
import { byModel, referenceType, videoOptions } from './video-options.ts';

const IMAGE_FIELDS = [
  'bytesBase64Encoded',
  'imageBytes',
  'inlineData',
  'fileData',
  'fileUri',
  'gcsUri',
  'fileId',
  'mimeType',
].flatMap((name) => writtenNames(name, {}));

/** Accepts Base64 or a file of the account under every name that Google's clients and documents use. */
const toGivenImage = (value: unknown, context: NotingPayload): unknown => {
  if (!isFields(value)) return value;
  noteUnread(value, { read: IMAGE_FIELDS, advice: 'send bytesBase64Encoded or fileUri.' }, context);
  const fileData = namedField(value, 'fileData');
  const uri =
    namedField(value, 'gcsUri') ??
    namedField(value, 'fileUri') ??
    (isFields(fileData) ? namedField(fileData, 'fileUri') : undefined);
  const place = uri === undefined ? undefined : readImagePlace(uri, context);
  if (uri !== undefined && place === undefined)
    return refuse(
      context,
      'is a remote file, which is not fetched: send files/file_… of this account, an https address, or its Base64 as bytesBase64Encoded.',
      { code: 'remote_image_not_supported' },
    );
  const isRemote = place !== undefined && isRemoteImage(place);
  const fileId = namedField(value, 'fileId') ?? (isRemote ? undefined : uri);
  const inline = namedField(value, 'inlineData');
  const data = isFields(inline) ? namedField(inline, 'data') : undefined;
  const inlineBytes = namedField(value, 'bytesBase64Encoded') ?? namedField(value, 'imageBytes') ?? data;
  return {
    ...(isRemote ? { image_url: uri } : {}),
    ...(fileId === undefined ? {} : { fileId }),
    ...(inlineBytes === undefined && (fileId !== undefined || isRemote)
      ? {}
      : { bytesBase64Encoded: inlineBytes }),
  };
};
const nativeImage = z.pipe(notingTransform(toGivenImage), image);

const notSupported = forbidden(
  (context) => refuse(context, 'is not supported: leave it out.', { code: 'not_offered' }),
  'Must not be sent: not supported.',
);

const noBucket = forbidden(
  (context) =>
    refuse(
      context,
      'is not supported: leave it out, and read the video from the finished operation, where it is as Base64 or as the address of its file.',
      { code: 'not_offered' },
    ),
  'Must not be sent: the finished operation has the video or its address.',
);

const givenFields = (entry: VideoModelEntry) => {
  const { resolution, aspectRatio, negativePrompt, seed, durationSeconds, generateAudio, video } =
    videoOptions(entry);
  const instance = lenientFields({
    prompt: optional(
      limitedText(MAX_PROMPT_CHARACTERS),
      'Describes the picture and the sound. May be empty or absent if image is sent.',
    ),
    image: optional(nativeImage, 'First frame.'),
    lastFrame: optional(nativeImage, 'Last frame; requires a first frame.'),
    referenceImages: z.optional(
      filledList(
        lenientFields({ image: nativeImage, referenceType: z.optional(referenceType) }),
        entry.maxReferences,
        `must be at most ${entry.maxReferences} images.`,
      ),
    ),
    video,
    mask: notSupported,
  });
  return lenientFields({
    instances: filledList(instance, 1, 'must have one item: each request generates one video.'),
    parameters: z.optional(
      lenientFields({
        sampleCount: z.optional(z.literal(1, says('must be 1: each request generates one video.'))),
        durationSeconds,
        aspectRatio,
        resolution,
        negativePrompt,
        seed,
        personGeneration: z.optional(personGeneration),
        enhancePrompt: z.optional(z.literal(true, says('must be true or left out.'))),
        generateAudio,
        fps: notSupported,
        mask: notSupported,
        resizeMode: notSupported,
        compressionQuality: notSupported,
        storageUri: noBucket,
        outputGcsUri: noBucket,
        gcsOutputDirectory: noBucket,
        video,
        webhookConfig: notSupported,
      }),
    ),
    webhookConfig: notSupported,
  });
};

const toDraft = (
  { instances: [first], parameters = {} }: z.output<ReturnType<typeof givenFields>>,
  context: z.core.ParsePayload,
): Omit<VideoDraft, 'model'> => {
  if (first === undefined) return z.NEVER;
  const { prompt = '', image: firstFrame, lastFrame, referenceImages = [] } = first;
  const refuseField = (name: string, message: string) =>
    refuse(context, message, { path: ['instances', 0, name] });
  if (referenceImages.length > 0 && (firstFrame ?? lastFrame) !== undefined)
    return refuseField('referenceImages', 'cannot be combined with image or lastFrame.');
  if (lastFrame !== undefined && firstFrame === undefined)
    return refuseField('lastFrame', 'requires a first frame: send it as image.');
  // Google's own examples animate an image without a prompt.
  if (prompt.trim() === '' && firstFrame === undefined)
    return refuseField(
      'prompt',
      `is required without image: 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`,
    );
  return {
    prompt: prompt.trim() === '' ? '' : prompt,
    aspectRatio: parameters.aspectRatio,
    negativePrompt: parameters.negativePrompt,
    seed: parameters.seed,
    metadata: { durationSeconds: parameters.durationSeconds, resolution: parameters.resolution },
    firstFrame,
    lastFrame,
    references: referenceImages.map((reference) => reference.image),
  };
};

export const nativeVideoRequestSchema = (entry: VideoModelEntry) =>
  map(givenFields(entry), toDraft).check(
    z.describe(
      'A video request in the native format. Field names may also be in snake_case. Unknown fields are rejected.',
    ),
  );

const schemaFor = byModel(nativeVideoRequestSchema);

export const readNativeVideoDraft = (model: VideoModel, body: unknown): Parsed<VideoDraft> => {
  const { data, ignored } = parseNoting(schemaFor(model), body);
  return { data: { model, ...data }, ignored };
};

/** Google's clients allow only `[a-z0-9]+` in a file id, so the task's prefix is removed. */
const fileAddress = ({ id }: Task, baseUrl: string): string =>
  `${baseUrl}/v1beta/files/${id.slice(TASK_PREFIX.length)}:download?alt=media`;

const FILE = /^([0-9a-z]+)(?::|%3a)download$/i;

/** Reads only the last part, because Google's clients send the whole URL as the id when they use plain HTTP. */
export const readFileTaskId = (path: string): string | undefined => {
  const id = FILE.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  return id === undefined ? undefined : `${TASK_PREFIX}${id}`;
};

const LINKED_VIDEO = new RegExp(`${TASK_PREFIX}[0-9a-z]{26}(?=\\.mp4)`);

/** In the query of a signed URL, which the SDK of Vertex AI appends to the path in the same way. */
export const readLinkedTaskId = (query: (name: string) => string | undefined): string | undefined =>
  LINKED_VIDEO.exec(query('response-content-disposition') ?? '')?.[0];

export const operationName = ({ id, request }: Pick<Task, 'id' | 'request'>): string =>
  `models/${request.model}/operations/${id}`;

/** google.rpc codes; blocked content is not an error there. */
const RPC_CODES = {
  cancelled: 1,
  upstream_rejected: 3,
  generation_timeout: 4,
  queue_timeout: 4,
  rate_limited: 8,
  internal: 13,
  upstream_unavailable: 14,
  model_unavailable: 14,
} as const satisfies Record<Exclude<VideoErrorCode, 'content_blocked'>, number>;

const RESPONSE_TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
const finishedOperation = (name: string, generateVideoResponse: VideoResponse): NativeOperation => ({
  name,
  done: true,
  response: { '@type': RESPONSE_TYPE, generateVideoResponse },
});

/** Blocked content is a response without a video; everything else is an error. */
export const failedOperation = (name: string, { error }: Pick<Task, 'error'>) => {
  const { code, message } = error ?? { code: 'internal', message: 'The reason is unknown.' };
  return code === 'content_blocked'
    ? { filtered: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [message] } }
    : { failed: { name, done: true as const, error: { code: RPC_CODES[code], message } } };
};

export const nativeOperation = (task: Task, baseUrl: string): NativeOperation => {
  const name = operationName(task);
  if (task.status === 'completed')
    return finishedOperation(name, { generatedSamples: [{ video: { uri: fileAddress(task, baseUrl) } }] });
  if (task.status !== 'failed') return { name, done: false };
  const { filtered, failed } = failedOperation(name, task);
  return failed ?? finishedOperation(name, filtered);
};

const NAME = new RegExp(`^models/[0-9a-z.-]+/operations/${TASK_PREFIX}[0-9a-z]{26}$`);
const name = z.string().check(z.regex(NAME));

const videoResponseSchema = z.union([
  z.object({
    generatedSamples: z.array(z.object({ video: z.object({ uri: z.string() }) })),
  }),
  z.object({ raiMediaFilteredCount: z.int(), raiMediaFilteredReasons: z.array(z.string()) }),
]);

const pendingOperationSchema = z.object({ name, done: z.literal(false) });

export const nativeOperationSchema = z
  .union([
    pendingOperationSchema,
    z.object({
      name,
      done: z.literal(true),
      response: z.object({ '@type': z.literal(RESPONSE_TYPE), generateVideoResponse: videoResponseSchema }),
    }),
    z.object({
      name,
      done: z.literal(true),
      error: z.object({ code: z.literal([...new Set(Object.values(RPC_CODES))]), message: z.string() }),
    }),
  ])
  .check(z.describe('A video task as a long-running operation: pending, done or failed.'));

type VideoResponse = z.infer<typeof videoResponseSchema>;
type NativeOperation = z.infer<typeof nativeOperationSchema>;
