import * as z from 'zod/mini';
import { image } from '../../catalogue/api/image.ts';
import { personGeneration } from '../../catalogue/api/request-fields.ts';
import type { GivenImage } from '../../catalogue/domain/input-image.ts';
import {
  describeSeconds,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  pixelSizes,
  type VideoModel,
  type VideoModelEntry,
  videoModelEntry,
} from '../../catalogue/domain/models.ts';
import { isFields, ownField, writtenName } from '../../platform/body/fields.ts';
import { parseWithin, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  fields,
  forbidden,
  forms,
  ignored,
  limitedText,
  list,
  map,
  only,
  optional,
  text,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { SPELLINGS } from './foreign-video-fields.ts';

// Some clients send the enum name, ASSET.
export const referenceType = text().check(
  z.regex(/^[Aa][Ss][Ss][Ee][Tt]$/, { error: 'must be asset.', abort: true }),
  z.meta({ examples: ['asset', 'ASSET'] }),
);
const optionalReferenceType = optional(referenceType, 'Only asset.');

/** An image without a wrapper may have a referenceType next to its data. */
const withoutReferenceType = (value: unknown, context: z.core.ParsePayload): unknown => {
  const written = writtenName(value, 'referenceType', {});
  if (!isFields(value) || written === undefined) return value;
  parseWithin(optionalReferenceType, ownField(value, written), context, [written]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== written));
};

const isWrapped = (value: unknown): boolean => isFields(value) && ownField(value, 'image') !== undefined;

/** An image in any form, or `{image, referenceType}` around one. */
export const referenceImage = forms<GivenImage>(
  [
    [isWrapped, map(fields({ image, referenceType: optionalReferenceType }), (item) => item.image)],
    [() => true, z.pipe(z.transform(withoutReferenceType), image)],
  ],
  'must be an image.',
);

const referenceImages = (most: number) =>
  forms<GivenImage[]>(
    [
      [Array.isArray, list(referenceImage, most)],
      [() => true, map(referenceImage, (item) => [item])],
    ],
    'must be an image or a list of images.',
  );

const withSpellings = (name: keyof typeof SPELLINGS, description: string): string =>
  `${description} Also accepted as ${listed(SPELLINGS[name])}.`;

/** Refused with any value, because the client expects something that it would not get. */
const refused = (advice: string) =>
  forbidden(
    (context) => refuse(context, `is not supported: ${advice}`, { code: 'not_offered' }),
    `Refused: ${advice}`,
  );

const OWN_AUDIO = 'audio is always generated and controlled by the prompt.';

/** The OpenAPI document lists the values; `check` refuses others, unless they depend on another field. */
const numberFrom = (
  values: readonly number[],
  description: string,
  check = (value: number, _: z.core.ParsePayload): number => value,
) =>
  z
    .optional(map(wholeNumber(), check))
    .check(z.meta({ description, enum: [...values, ...values.map(String)] }));

const refuseSeconds = (seconds: readonly number[]) => (value: number, context: z.core.ParsePayload) => {
  if (seconds.includes(value)) return value;
  const words = describeSeconds(seconds);
  return refuse(context, `must be ${words.includes(',') ? `one of ${words}` : words} seconds.`);
};

const distinctSides = (sizes: readonly string[]): readonly number[] =>
  [...new Set(sizes.flatMap((size) => size.split('x').map(Number)))].toSorted((one, other) => one - other);

const one = wholeNumber(1, 1, 'must be 1: each request creates one video.').check(z.meta({ enum: [1, '1'] }));

/** Creates the schema of a model's requests on their first use. */
export const byModel = <Schema>(
  create: (entry: VideoModelEntry) => Schema,
): ((model: VideoModel) => Schema) => {
  const created = new Map<VideoModel, Schema>();
  return (model) => {
    const schema = created.get(model) ?? create(videoModelEntry(model));
    created.set(model, schema);
    return schema;
  };
};

export const videoOptions = (entry: VideoModelEntry) => {
  const { defaults, seconds, maxReferences } = entry;
  const sizes = [...pixelSizes(entry).keys()];
  const sides = distinctSides(sizes);
  const duration = (description: string) => numberFrom(seconds, description, refuseSeconds(seconds));
  return {
    // "Do not send generateAudio": refused everywhere and with any value, because the upstream refuses it.
    generateAudio: forbidden(
      (context) =>
        refuse(context, `is not supported: ${OWN_AUDIO}`, { code: 'INVALID_ARGUMENT', withoutPlace: true }),
      `Refused: ${OWN_AUDIO}`,
    ),
    // "Extending an existing video: not offered; no video input is accepted."
    video: refused('send images or text only.'),
    remixed_from_video_id: refused('create a new video instead.'),
    characters: refused('send reference_images, or describe them in the prompt.'),
    images: refused('send input_reference and last_frame, or reference_images.'),
    n: optional(one, 'Only 1.'),
    seconds: duration(`Length of the video. Default ${defaults.seconds}.`),
    duration: duration('Takes precedence over seconds.'),
    durationSeconds: duration(
      withSpellings('durationSeconds', 'Takes precedence over duration and seconds.'),
    ),
    size: optional(choice(sizes), 'Sets the resolution and the aspect ratio.'),
    width: numberFrom(sides, `With height, equivalent to size: ${listed(sizes)}.`),
    height: numberFrom(sides, 'Requires width.'),
    resolution: optional(choice(entry.resolutions), `Default ${defaults.resolution}.`),
    aspectRatio: optional(
      choice(entry.aspectRatios),
      withSpellings('aspectRatio', `Default: from size, or ${defaults.aspectRatio}.`),
    ),
    negativePrompt: optional(
      limitedText(MAX_PROMPT_CHARACTERS),
      withSpellings('negativePrompt', 'Content to avoid; not allowed with reference images.'),
    ),
    seed: optional(wholeNumber(0, MAX_SEED), 'Generation seed.'),
    input_reference: optional(image, withSpellings('input_reference', 'First frame.')),
    last_frame: optional(image, withSpellings('last_frame', `Last frame; requires a first frame.`)),
    reference_images: optional(
      referenceImages(maxReferences),
      withSpellings('reference_images', `At most ${maxReferences}; they cannot be combined with frames.`),
    ),
    reference_type: optional(referenceType, withSpellings('reference_type', 'Only asset.')),
    // Harmless fields that applications send.
    audio: only([true], OWN_AUDIO),
    fps: only([24], 'the frame rate of all videos.'),
    enhance_prompt: only([true], 'the generator always enhances prompts.'),
    person_generation: z.optional(personGeneration),
    enable_upsample: only([false], 'send resolution for more pixels.'),
    watermark: only([false], 'videos have no visible watermark.'),
    output_format: only(['mp4'], 'the format of all videos.'),
    response_format: only(['url'], 'videos are downloaded.'),
    user: ignored(anything('user-1')),
    safety_identifier: ignored(anything('user-1')),
  };
};
