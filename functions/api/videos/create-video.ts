import * as z from 'zod/mini';
import type { InputImage } from '../../domain/input-image.ts';
import {
  ASPECT_RATIOS,
  DEFAULT_ASPECT_RATIO,
  DEFAULT_DURATION,
  DEFAULT_RESOLUTION,
  DURATIONS,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  PIXEL_SIZES,
  type PixelSize,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../domain/models.ts';
import type { VideoDraft } from '../../domain/video-request.ts';
import { image } from '../body/image.ts';
import { model } from '../body/model.ts';
import { parseBody, refuse } from '../body/parse.ts';
import { choice, fields, forbidden, limitedText, optional, wholeNumber } from '../body/schema.ts';
import { referenceImages, referenceType } from './reference-images.ts';

const isPixelSize = (name: string): name is PixelSize => Object.hasOwn(PIXEL_SIZES, name);

/** Only the duration that counts must be one of these, so the domain decides; the document names them. */
const duration = (description: string) =>
  z.optional(wholeNumber()).check(z.meta({ description, enum: [...DURATIONS, ...DURATIONS.map(String)] }));

export const refused = {
  // "Do not send generateAudio": in any place, with any value, as the upstream itself refuses it.
  generateAudio: forbidden(
    (context) =>
      refuse(context, 'is not supported: audio is always generated, and the prompt alone controls it.', {
        code: 'INVALID_ARGUMENT',
        param: 'generateAudio',
      }),
    'Must not be sent: audio is always generated.',
  ),
  // "Extending an existing video: not offered; no video input is accepted."
  video: forbidden(
    (context) =>
      refuse(context, 'input is not supported: send images or text only.', {
        code: 'not_offered',
        param: 'video',
      }),
    'Must not be sent: video input is not supported.',
  ),
};

export const basics = {
  model: model(VIDEO_MODELS),
  prompt: limitedText(
    MAX_PROMPT_CHARACTERS,
    `is required: 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`,
  ).check(
    z.regex(/\S/, { error: `must have 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`, abort: true }),
    z.meta({
      minLength: 1,
      maxLength: MAX_PROMPT_CHARACTERS,
      description: 'What to show; audio, dialogue and music are controlled here alone.',
    }),
  ),
  seconds: duration(`Length of the video. Default ${DEFAULT_DURATION}.`),
  duration: duration('Comes before seconds.'),
  size: optional(
    choice(Object.keys(PIXEL_SIZES).filter(isPixelSize)),
    'Gives resolution and aspect ratio where they are absent.',
  ),
};

export const choices = {
  resolution: optional(choice(RESOLUTIONS), `Default ${DEFAULT_RESOLUTION}; 1080p and 4k need 8 seconds.`),
  aspectRatio: optional(choice(ASPECT_RATIOS), `Default ${DEFAULT_ASPECT_RATIO}, or as size says.`),
  negativePrompt: optional(
    limitedText(MAX_PROMPT_CHARACTERS),
    'Things to avoid; not together with reference images.',
  ),
  seed: optional(wholeNumber(0, MAX_SEED), 'Generation seed.'),
  durationSeconds: duration('Comes before duration and seconds.'),
};

const images = {
  input_reference: optional(image, 'First frame.'),
  last_frame: optional(image, 'Last frame; needs a first one, and 8 seconds.'),
  lastFrame: optional(image, 'Another name of last_frame.'),
  reference_type: referenceType,
  referenceType,
  reference_image: referenceImages,
  reference_images: referenceImages,
  referenceImages,
};

const given = fields({
  ...refused,
  metadata: z.optional(
    fields({
      ...refused,
      ...choices,
      ...images,
      image: optional(image, 'Another name of input_reference.'),
    }),
  ),
  ...basics,
  ...choices,
  ...images,
});

type Given = z.output<typeof given>;
type Frames = readonly (readonly [path: readonly string[], image: InputImage | undefined])[];

/** The one image given for a role, whichever of its names it came under. */
const onlyImage = (context: z.core.ParsePayload, frames: Frames): InputImage | undefined => {
  const [first, second] = frames.filter(([, frame]) => frame !== undefined);
  if (first === undefined || second === undefined) return first?.[1];
  return refuse(context, `and ${first[0].join('.')} are the same image: send one of them.`, {
    path: second[0],
  });
};

const REFERENCE_NAMES = ['reference_image', 'reference_images', 'referenceImages'] as const;

const toDraft = ({ metadata = {}, ...body }: Given, context: z.core.ParsePayload): VideoDraft => ({
  model: body.model,
  prompt: body.prompt,
  seconds: body.seconds,
  duration: body.duration,
  size: body.size,
  resolution: body.resolution,
  aspectRatio: metadata.aspectRatio ?? body.aspectRatio,
  negativePrompt: metadata.negativePrompt ?? body.negativePrompt,
  seed: metadata.seed ?? body.seed,
  metadata: {
    durationSeconds: metadata.durationSeconds ?? body.durationSeconds,
    resolution: metadata.resolution,
  },
  firstFrame: onlyImage(context, [
    [['input_reference'], body.input_reference],
    [['metadata', 'input_reference'], metadata.input_reference],
    [['metadata', 'image'], metadata.image],
  ]),
  lastFrame: onlyImage(context, [
    [['last_frame'], body.last_frame],
    [['lastFrame'], body.lastFrame],
    [['metadata', 'last_frame'], metadata.last_frame],
    [['metadata', 'lastFrame'], metadata.lastFrame],
  ]),
  references: REFERENCE_NAMES.flatMap((name) => [...(body[name] ?? []), ...(metadata[name] ?? [])]),
});

/** Every field of the create request, checked for itself; how they combine is the domain's matter. */
export const createVideoSchema = z
  .pipe(given, z.transform(toDraft))
  .check(z.describe('A create request in JSON. Unknown fields are ignored.'));

export const readVideoDraft = (body: unknown): VideoDraft => parseBody(createVideoSchema, body);
