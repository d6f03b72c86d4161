import * as z from 'zod/mini';
import { isFields, namedField } from '../../platform/body/fields.ts';
import { fileReferenceOf } from '../../platform/body/file-reference.ts';
import { image } from '../../platform/body/image.ts';
import { parseBody, refuse } from '../../platform/body/parse.ts';
import { filledList, forbidden, leaf, lenientFields, optional, says } from '../../platform/body/schema.ts';
import { MAX_REFERENCE_IMAGES, type VideoModel } from '../../platform/domain/models.ts';
import type { VideoDraft } from '../domain/video-request.ts';
import { options, prompt } from './create-video-fields.ts';
import { referenceType } from './reference-images.ts';

/** Base64 or one of the account's files, under any of the names that Google's clients and documents have for them. */
const asImage = (value: unknown, context: z.core.ParsePayload): unknown => {
  if (!isFields(value)) return value;
  const fileData = namedField(value, 'fileData');
  const uri =
    namedField(value, 'gcsUri') ??
    namedField(value, 'fileUri') ??
    (isFields(fileData) ? namedField(fileData, 'fileUri') : undefined);
  const fileId = namedField(value, 'fileId') ?? uri;
  if (uri !== undefined && fileReferenceOf(uri) === undefined)
    return refuse(
      context,
      'is a remote file, which is not fetched: send files/file_… of this account, or its Base64 as bytesBase64Encoded.',
      { code: 'remote_image_not_supported' },
    );
  const inline = namedField(value, 'inlineData');
  const data = isFields(inline) ? namedField(inline, 'data') : undefined;
  const inlineBytes = namedField(value, 'bytesBase64Encoded') ?? namedField(value, 'imageBytes') ?? data;
  return {
    ...(fileId === undefined ? {} : { fileId }),
    ...(inlineBytes === undefined && fileId !== undefined ? {} : { bytesBase64Encoded: inlineBytes }),
  };
};
const nativeImage = z.pipe(z.transform(asImage), image);

const notSupported = forbidden(
  (context) => refuse(context, 'is not supported: leave it out.', { code: 'not_offered' }),
  'Must not be sent: not supported.',
);

/** What the generator does anyway is accepted; what it would have to be told is not. */
const PEOPLE = ['allow_all', 'allow_adult'];
const personGeneration = leaf(
  (value, context) =>
    typeof value === 'string' && PEOPLE.includes(value.toLowerCase())
      ? value
      : refuse(
          context,
          `must be ${PEOPLE.join(' or ')}, or left out: the generator decides on people itself.`,
        ),
  { type: 'string', enum: [...PEOPLE, ...PEOPLE.map((name) => name.toUpperCase())] },
);

const { resolution, aspectRatio, negativePrompt, seed, durationSeconds, generateAudio, video } = options;

const instance = lenientFields({
  prompt,
  image: optional(nativeImage, 'First frame.'),
  lastFrame: optional(nativeImage, 'Last frame; needs a first one, and 8 seconds.'),
  referenceImages: z.optional(
    filledList(
      lenientFields({ image: nativeImage, referenceType: z.optional(referenceType) }),
      MAX_REFERENCE_IMAGES,
      `must be at most ${MAX_REFERENCE_IMAGES} images.`,
    ),
  ),
  video,
  mask: notSupported,
});

const given = lenientFields({
  instances: filledList(instance, 1, 'must have one item: one video is generated a request.'),
  parameters: z.optional(
    lenientFields({
      sampleCount: z.optional(z.literal(1, says('must be 1: one video is generated a request.'))),
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
      storageUri: notSupported,
      video,
      webhookConfig: notSupported,
    }),
  ),
  webhookConfig: notSupported,
});

const toDraft = (
  { instances: [first], parameters = {} }: z.output<typeof given>,
  context: z.core.ParsePayload,
): Omit<VideoDraft, 'model'> => {
  if (first === undefined) return z.NEVER;
  const { prompt: text, image: firstFrame, lastFrame, referenceImages = [] } = first;
  const refuseImages = (name: string, message: string) =>
    refuse(context, message, { path: ['instances', 0, name] });
  if (referenceImages.length > 0 && (firstFrame ?? lastFrame) !== undefined)
    return refuseImages('referenceImages', 'cannot be combined with image or lastFrame.');
  if (lastFrame !== undefined && firstFrame === undefined)
    return refuseImages('lastFrame', 'needs a first frame: send it as image.');
  return {
    prompt: text,
    seconds: undefined,
    duration: undefined,
    size: undefined,
    resolution: undefined,
    aspectRatio: parameters.aspectRatio,
    negativePrompt: parameters.negativePrompt,
    seed: parameters.seed,
    metadata: { durationSeconds: parameters.durationSeconds, resolution: parameters.resolution },
    firstFrame,
    lastFrame,
    references: referenceImages.map((reference) => reference.image),
  };
};

export const nativeVideoRequestSchema = z
  .pipe(given, z.transform(toDraft))
  .check(z.describe('A video request in the native format. The names may also be in snake_case.'));

export const readNativeVideoDraft = (model: VideoModel, body: unknown): VideoDraft => ({
  model,
  ...parseBody(nativeVideoRequestSchema, body),
});
