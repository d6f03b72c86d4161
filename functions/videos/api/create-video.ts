import * as z from 'zod/mini';
import { image } from '../../platform/body/image.ts';
import { isFields, ownField, parseBody, parseWithin, refuse } from '../../platform/body/parse.ts';
import {
  choice,
  fields,
  forbidden,
  forms,
  limitedText,
  list,
  map,
  model,
  modelNames,
  optional,
  text,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { type ErrorCode, listed } from '../../platform/domain/errors.ts';
import type { GivenImage } from '../../platform/domain/input-image.ts';
import { DEFAULT_VIDEO_MODEL } from '../../platform/domain/model-aliases.ts';
import {
  ASPECT_RATIOS,
  DEFAULT_ASPECT_RATIO,
  DEFAULT_DURATION,
  DEFAULT_RESOLUTION,
  DURATIONS,
  isOneOf,
  MAX_PROMPT_CHARACTERS,
  MAX_REFERENCE_IMAGES,
  MAX_SEED,
  PIXEL_SIZES,
  type PixelSize,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../platform/domain/models.ts';
import type { VideoDraft } from '../domain/video-request.ts';

// Some clients send the enum name, ASSET.
export const referenceType = text().check(
  z.regex(/^[Aa][Ss][Ss][Ee][Tt]$/, { error: 'must be asset.', abort: true }),
  z.meta({ examples: ['asset', 'ASSET'] }),
);
const optionalReferenceType = optional(referenceType, 'Only asset.');

/** An image without a wrapper may have a referenceType next to its data. */
const requireAsset = (value: unknown, context: z.core.ParsePayload): unknown => {
  if (isFields(value))
    parseWithin(optionalReferenceType, ownField(value, 'referenceType'), context, ['referenceType']);
  return value;
};

const isWrapped = (value: unknown): boolean => isFields(value) && ownField(value, 'image') !== undefined;

/** An image in any form, or `{image, referenceType}` around one. */
export const referenceImage = forms<GivenImage>(
  [
    [isWrapped, map(fields({ image, referenceType: optionalReferenceType }), (item) => item.image)],
    [() => true, z.pipe(z.transform(requireAsset), image)],
  ],
  'must be an image.',
);

const referenceImages = forms<GivenImage[]>(
  [
    [Array.isArray, list(referenceImage, MAX_REFERENCE_IMAGES)],
    [() => true, map(referenceImage, (item) => [item])],
  ],
  'must be an image or a list of images.',
);

/** Other names of the options, as other clients of this API family send them. */
const SPELLINGS = {
  durationSeconds: ['duration_seconds'],
  aspectRatio: ['aspect_ratio'],
  negativePrompt: ['negative_prompt'],
  input_reference: ['image'],
  last_frame: ['lastFrame'],
  reference_images: ['reference_image', 'referenceImages'],
  reference_type: ['referenceType'],
  generateAudio: ['generate_audio'],
} as const;

const withSpellings = (name: keyof typeof SPELLINGS, description: string): string =>
  `${description} Also accepted as ${listed(SPELLINGS[name])}.`;

const isPixelSize = (name: string): name is PixelSize => Object.hasOwn(PIXEL_SIZES, name);
const SIZES = Object.keys(PIXEL_SIZES).filter(isPixelSize);

/** Refused with any value, because the client expects something that it would not get. */
const refused = (name: string, advice: string, code: ErrorCode = 'not_offered') =>
  forbidden(
    (context) => refuse(context, `is not supported: ${advice}`, { code, param: name }),
    `Refused: ${advice}`,
  );

/** The allowed values depend on other fields and are checked later; the OpenAPI document lists them. */
const numberFrom = (values: readonly number[], description: string) =>
  z.optional(wholeNumber()).check(z.meta({ description, enum: [...values, ...values.map(String)] }));
const duration = (description: string) => numberFrom(DURATIONS, description);
const SIDES = [720, 1080, 1280, 1920, 2160, 3840];

const one = wholeNumber(1, 1, 'must be 1: each request creates one video.').check(z.meta({ enum: [1, '1'] }));

export const options = {
  // "Do not send generateAudio": refused everywhere and with any value, because the upstream refuses it.
  generateAudio: refused(
    'generateAudio',
    'audio is always generated and controlled by the prompt.',
    'INVALID_ARGUMENT',
  ),
  // "Extending an existing video: not offered; no video input is accepted."
  video: refused('video', 'send images or text only.'),
  remixed_from_video_id: refused('remixed_from_video_id', 'create a new video instead.'),
  characters: refused('characters', 'send reference_images, or describe them in the prompt.'),
  images: refused('images', 'send input_reference and last_frame, or reference_images.'),
  n: optional(one, 'Only 1.'),
  seconds: duration(`Length of the video. Default ${DEFAULT_DURATION}.`),
  duration: duration('Takes precedence over seconds.'),
  durationSeconds: duration(withSpellings('durationSeconds', 'Takes precedence over duration and seconds.')),
  size: optional(choice(SIZES), 'Sets the resolution and the aspect ratio.'),
  width: numberFrom(SIDES, `With height, equivalent to size: ${listed(SIZES)}.`),
  height: numberFrom(SIDES, 'Requires width.'),
  resolution: optional(choice(RESOLUTIONS), `Default ${DEFAULT_RESOLUTION}; 1080p and 4k require 8 seconds.`),
  aspectRatio: optional(
    choice(ASPECT_RATIOS),
    withSpellings('aspectRatio', `Default: from size, or ${DEFAULT_ASPECT_RATIO}.`),
  ),
  negativePrompt: optional(
    limitedText(MAX_PROMPT_CHARACTERS),
    withSpellings('negativePrompt', 'Content to avoid; not allowed with reference images.'),
  ),
  seed: optional(wholeNumber(0, MAX_SEED), 'Generation seed.'),
  input_reference: optional(image, withSpellings('input_reference', 'First frame.')),
  last_frame: optional(
    image,
    withSpellings('last_frame', 'Last frame; requires a first frame and 8 seconds.'),
  ),
  reference_images: optional(
    referenceImages,
    withSpellings(
      'reference_images',
      `At most ${MAX_REFERENCE_IMAGES}; they require 8 seconds and cannot be combined with frames.`,
    ),
  ),
  reference_type: optional(referenceType, withSpellings('reference_type', 'Only asset.')),
};

export const prompt = limitedText(
  MAX_PROMPT_CHARACTERS,
  `is required: 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`,
).check(
  z.regex(/\S/, { error: `must have 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`, abort: true }),
  z.meta({
    minLength: 1,
    maxLength: MAX_PROMPT_CHARACTERS,
    description: 'Describes the picture and the sound.',
  }),
);

/** Checks each field on its own. Options may be at top level or inside metadata. */
const givenFields = fields(
  {
    // The specification requires a model; the OpenAI API, whose clients we serve, does not.
    model: optional(
      model(VIDEO_MODELS),
      `${modelNames(VIDEO_MODELS).description} Default: ${DEFAULT_VIDEO_MODEL}.`,
    ),
    prompt,
    ...options,
    metadata: optional(
      fields(options, SPELLINGS),
      'The same options; they take precedence over those at top level.',
    ),
  },
  SPELLINGS,
);

type GivenFields = z.output<typeof givenFields>;
type GivenOptions = NonNullable<GivenFields['metadata']>;

type Context = z.core.ParsePayload;

/** The size may also be sent as width and height. */
const readSize = (
  { size, width, height }: GivenOptions,
  place: readonly string[],
  context: Context,
): PixelSize | undefined => {
  if (width === undefined && height === undefined) return size;
  const path = [...place, width === undefined ? 'height' : 'width'];
  if (width === undefined) return refuse(context, 'requires width.', { path });
  if (height === undefined) return refuse(context, 'requires height.', { path });
  const pixels = `${width}x${height}`;
  if (!isOneOf(SIZES, pixels))
    return refuse(context, `with height must be one of ${listed(SIZES)}.`, { path });
  if (size !== undefined && size !== pixels)
    return refuse(context, `with height and size differ: send one of them.`, { path });
  return pixels;
};

/** Refuses an image that is sent both at top level and inside metadata. */
const onlyImage = (
  name: 'input_reference' | 'last_frame',
  { metadata, ...body }: GivenFields,
  context: Context,
): GivenImage | undefined =>
  body[name] !== undefined && metadata?.[name] !== undefined
    ? refuse(context, `and ${name} are the same image: send one of them.`, { path: ['metadata', name] })
    : (metadata?.[name] ?? body[name]);

const toDraft = (given: GivenFields, context: Context): VideoDraft => {
  const { metadata = {}, ...body } = given;
  const sizes = [readSize(metadata, ['metadata'], context), readSize(body, [], context)];
  return {
    model: body.model ?? DEFAULT_VIDEO_MODEL,
    prompt: body.prompt,
    seconds: metadata.seconds ?? body.seconds,
    duration: metadata.duration ?? body.duration,
    size: sizes[0] ?? sizes[1],
    resolution: body.resolution,
    aspectRatio: metadata.aspectRatio ?? body.aspectRatio,
    negativePrompt: metadata.negativePrompt ?? body.negativePrompt,
    seed: metadata.seed ?? body.seed,
    metadata: {
      durationSeconds: metadata.durationSeconds ?? body.durationSeconds,
      resolution: metadata.resolution,
    },
    firstFrame: onlyImage('input_reference', given, context),
    lastFrame: onlyImage('last_frame', given, context),
    references: [...(body.reference_images ?? []), ...(metadata.reference_images ?? [])],
  };
};

/** Checks each field on its own; the domain checks how they combine. */
export const createVideoSchema = map(givenFields, toDraft).check(
  z.describe('A create request in JSON. Unknown fields are ignored.'),
);

export const readVideoDraft = (body: unknown): VideoDraft => parseBody(createVideoSchema, body, SPELLINGS);
