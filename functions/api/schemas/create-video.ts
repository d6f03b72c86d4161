import * as z from 'zod/mini';
import {
  ASPECT_RATIOS,
  DEFAULT_ASPECT_RATIO,
  DEFAULT_DURATION,
  DEFAULT_RESOLUTION,
  DURATIONS,
  MAX_PROMPT_CHARACTERS,
  MAX_REFERENCE_IMAGES,
  MAX_SEED,
  PIXEL_SIZES,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../domain/models.ts';
import { inputImageSchema } from './input-image.ts';
import { DURATION_TEXTS } from './video.ts';

/** The create request in both encodings. Its reader is written by hand; a test holds the two together. */

/** The description is the field's, so that fields of one schema can differ in it. */
const described = <T extends z.core.$ZodType>(schema: T, description: string) =>
  z.optional(schema).check(z.describe(description));
const never = (description: string) => described(z.never(), description);

const choices = {
  resolution: described(z.enum(RESOLUTIONS), `Default ${DEFAULT_RESOLUTION}; 1080p and 4k need 8 seconds.`),
  aspectRatio: described(z.enum(ASPECT_RATIOS), `Default ${DEFAULT_ASPECT_RATIO}, or as size says.`),
  negativePrompt: described(
    z.string().check(z.maxLength(MAX_PROMPT_CHARACTERS)),
    'Things to avoid; not together with reference images.',
  ),
  seed: described(z.int().check(z.gte(0), z.lte(MAX_SEED)), 'Generation seed.'),
  durationSeconds: described(z.literal(DURATIONS), 'Comes before duration and seconds.'),
};

const basics = {
  model: z.enum(VIDEO_MODELS),
  prompt: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_PROMPT_CHARACTERS),
      z.regex(/\S/),
      z.describe('What to show; audio, dialogue and music are controlled here alone.'),
    ),
  seconds: described(
    z.union([z.literal(DURATIONS), z.enum(DURATION_TEXTS)]),
    `Length of the video. Default ${DEFAULT_DURATION}.`,
  ),
  duration: described(z.literal(DURATIONS), 'Comes before seconds.'),
  size: described(
    z.enum(Object.keys(PIXEL_SIZES)),
    'Gives resolution and aspect ratio where they are absent.',
  ),
};

const refused = {
  generateAudio: never('Must not be sent: audio is always generated.'),
  video: never('Must not be sent: video input is not offered.'),
};

export const referenceTypeSchema = z.enum(['asset', 'ASSET']);
const referenceType = described(referenceTypeSchema, 'Only asset.');

export const referenceSchema = z.union([
  z.object({ image: inputImageSchema, referenceType: z.optional(referenceTypeSchema) }),
  inputImageSchema,
]);
const references = described(
  z.union([referenceSchema, z.array(referenceSchema).check(z.maxLength(MAX_REFERENCE_IMAGES))]),
  `At most ${MAX_REFERENCE_IMAGES} reference images in all; they need 8 seconds and exclude frames.`,
);

const images = {
  input_reference: described(inputImageSchema, 'First frame.'),
  last_frame: described(inputImageSchema, 'Last frame; needs a first one, and 8 seconds.'),
  lastFrame: described(inputImageSchema, 'Another name of last_frame.'),
  reference_image: references,
  reference_images: references,
  referenceImages: references,
  reference_type: referenceType,
  referenceType,
};

export const createVideoSchema = z
  .object({
    ...basics,
    ...choices,
    ...images,
    ...refused,
    metadata: z.optional(
      z.object({
        ...choices,
        ...images,
        image: described(inputImageSchema, 'Another name of input_reference.'),
        ...refused,
      }),
    ),
  })
  .check(z.describe('A create request in JSON. Unknown fields are ignored.'));

const file = (description: string) => described(z.file(), description);
const files = described(
  z.array(z.file()).check(z.maxLength(MAX_REFERENCE_IMAGES)),
  'Reference images: repeat the field, with or without [] after its name.',
);

export const createVideoFormSchema = z
  .object({
    ...basics,
    ...choices,
    input_reference: file('First frame: JPEG, PNG or WebP.'),
    last_frame: file('Last frame; needs input_reference.'),
    lastFrame: file('Another name of last_frame.'),
    reference_image: files,
    reference_images: files,
    referenceImages: files,
    reference_type: referenceType,
    ...refused,
    metadata: described(
      z.string(),
      'The JSON form’s metadata as text; single fields as metadata[resolution] and so on.',
    ),
  })
  .check(z.describe('A create request as a form. Unknown fields are ignored.'));
