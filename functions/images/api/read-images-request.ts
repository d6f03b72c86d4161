import * as z from 'zod/mini';
import { image } from '../../catalogue/api/image.ts';
import { model } from '../../catalogue/api/model-field.ts';
import type { ImageConversion } from '../../catalogue/domain/image-conversion.ts';
import {
  IMAGE_ASPECT_RATIOS,
  PIXELS,
  RATIO_TOLERANCE_PERCENT,
  readImageSize,
  SIZE_NAMES,
} from '../../catalogue/domain/image-sizes.ts';
import type { GivenImage } from '../../catalogue/domain/input-image.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import type { BodyFields } from '../../platform/body/fields.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  filledList,
  forms,
  ignored,
  leaf,
  lenientFields,
  map,
  only,
  optional,
  wholeNumber,
} from '../../platform/body/schema.ts';
import type { Advice } from '../../platform/body/unknown-fields.ts';
import { listed } from '../../platform/domain/errors.ts';
import {
  type GivenImagePart,
  type GivenImageRequest,
  imagePart,
  MAX_IMAGES,
  MAX_SEED,
  maxImages,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { imageConfig, imageSize, mergeConfigs, prompt, unsupported } from './image-options.ts';
import { outputFields, toConversion } from './output-options.ts';

const stillImages = 'images are JPEG, PNG or WebP; use output_format.';

const RESPONSE_FORMATS = ['b64_json', 'url'] as const;

/** Fields of the Images API that are supported only in part or not at all. */
export const IMAGES_API_OPTIONS = {
  quality: ignored(
    choice(['auto', 'low', 'medium', 'high', 'standard', 'hd']),
    'The model has one quality; use image_size for more pixels.',
  ),
  response_format: only(RESPONSE_FORMATS, 'url is a signed URL of the stored image.'),
  background: only(['auto', 'opaque'], 'the model does not generate transparent images.'),
  moderation: ignored(choice(['auto', 'low']), 'The filters cannot be changed.'),
  partial_images: only([0, 1, 2, 3], 'the image is always sent whole, which these values allow.'),
  stream: only([true, false], 'true selects server-sent events.'),
  style: ignored(choice(['vivid', 'natural']), 'Describe the style in the prompt.'),
  complexity: unsupported('the model decides it.'),
  input_fidelity: ignored(choice(['low', 'high']), 'Describe in the prompt what must not change.'),
  user: ignored(anything('user-1')),
  safety_identifier: ignored(anything('user-1')),
  metadata: ignored(anything({ chat: 'a' })),
  watermark: only([false], 'images have no visible watermark.'),
  negativePrompt: unsupported('describe in the prompt what to leave out.'),
  mask: unsupported('describe in the prompt which part to change.'),
  markup: unsupported('send the marked image as another image, and explain the marks in the prompt.'),
  frame_count: unsupported(stillImages),
  frame_duration_ms: unsupported(stillImages),
  svg: unsupported(stillImages),
  width: unsupported('use size.'),
  height: unsupported('use size.'),
};

export type ImagesRequest = {
  readonly request: GivenImageRequest;
  readonly count: number;
  readonly responseFormat: (typeof RESPONSE_FORMATS)[number];
  readonly stream: boolean;
  readonly background: 'auto' | 'opaque';
  readonly conversion: ImageConversion | undefined;
};

const MAX_EDITED_IMAGES = 10;

const SIZE_MESSAGE = `must be one of ${listed(SIZE_NAMES)}, or WIDTHxHEIGHT in pixels within ${RATIO_TOLERANCE_PERCENT} % of one of these ratios.`;

export const pixelSize = leaf(
  (value, context) =>
    (typeof value === 'string' ? readImageSize(value) : undefined) ?? refuse(context, SIZE_MESSAGE),
  {
    anyOf: [
      { type: 'string', enum: SIZE_NAMES },
      {
        type: 'string',
        pattern: PIXELS.source,
        examples: ['1024x1024'],
        description: `Width and height in pixels. The nearest aspect ratio, within ${RATIO_TOLERANCE_PERCENT} %, and the nearest resolution are used; the response has the actual size.`,
      },
    ],
  },
);

const shared = {
  ...IMAGES_API_OPTIONS,
  n: optional(
    wholeNumber(1, MAX_IMAGES),
    `How many images to generate, default 1; at most ${maxImages('4K')} at 4K, ${maxImages('4K', 'png')} as png.`,
  ),
  model: model([IMAGE_MODEL]),
  prompt,
  size: optional(pixelSize, 'Aspect ratio and resolution if these fields are absent.'),
  aspectRatio: optional(
    choice(IMAGE_ASPECT_RATIOS),
    'Takes precedence over size. Also accepted as aspect_ratio.',
  ),
  imageSize: optional(imageSize, 'Takes precedence over size. Also accepted as image_size.'),
  imageConfig: z.optional(imageConfig),
  seed: optional(wholeNumber(0, MAX_SEED), 'Generation seed.'),
  ...outputFields,
};

const ADVICE: Advice = [
  [
    ['image_url', 'image_urls', 'input_image', 'input_images', 'input_reference', 'input_references'],
    'send images as image to /v1/images/edits.',
  ],
  [['init_image', 'reference_image', 'reference_images'], 'send images as image to /v1/images/edits.'],
  [['resolution', 'ratio'], 'send size, or aspect_ratio and image_size.'],
  [['extra_body', 'extra_fields', 'parameters'], 'send its fields at top level.'],
];

const elsewhere = unsupported('send images to /v1/images/edits.');
const generation = lenientFields({ ...shared, image: elsewhere, images: elsewhere }, { advice: ADVICE });

const TOO_MANY = `must be at most ${MAX_EDITED_IMAGES} images.`;
const inputImages = optional(
  forms(
    [
      [Array.isArray, filledList(image, MAX_EDITED_IMAGES, TOO_MANY)],
      [() => true, map(image, (single) => [single])],
    ],
    'must be an image or a list of images.',
  ),
  `The image to edit, or up to ${MAX_EDITED_IMAGES} images to combine.`,
);
const edit = lenientFields({ ...shared, image: inputImages, images: inputImages }, { advice: ADVICE });

type Shared = Pick<z.output<typeof edit>, keyof typeof shared>;

const toRequest = (
  given: Shared,
  images: readonly GivenImagePart[],
  context: z.core.ParsePayload,
): ImagesRequest => {
  const config = mergeConfigs([
    { aspectRatio: given.aspectRatio, imageSize: given.imageSize },
    given.imageConfig,
    given.size,
  ]);
  const count = given.n ?? 1;
  const { imageSize: size } = config;
  const { output_format: format, output_compression: quality } = given;
  const conversion = toConversion(format, quality, context, ['output_compression']);
  const most = size === undefined ? MAX_IMAGES : maxImages(size, conversion?.format);
  if (count > most) {
    const kind = conversion?.format === 'png' ? `${size} as png` : size;
    return refuse(context, `must be at most ${most} at ${kind}.`, { path: ['n'] });
  }
  return {
    request: {
      model: given.model ?? IMAGE_MODEL,
      turns: [{ role: 'user', parts: [textPart(given.prompt), ...images] }],
      config,
      modalities: ['IMAGE'],
      sampling: { seed: given.seed },
    },
    count,
    responseFormat: given.response_format === 'url' ? 'url' : 'b64_json',
    stream: given.stream === true || given.stream === 'true',
    background: given.background === 'opaque' ? 'opaque' : 'auto',
    conversion,
  };
};

const DALL_E = /^(?:openai\/)?dall-e-/;

/** Clients of DALL·E expect URLs unless they ask for Base64. An empty model is how some forms leave it out. */
export const withImagesDefaults = (fields: BodyFields, hasUrls: boolean): BodyFields => {
  const { model: name, ...others } = fields;
  if (name === '') return others;
  const { stream = false } = others;
  const isWhole = stream === false || stream === 'false';
  return hasUrls && isWhole && typeof name === 'string' && DALL_E.test(name)
    ? { response_format: 'url', ...fields }
    : fields;
};

export const generateImagesSchema = map(generation, (given, context) => toRequest(given, [], context)).check(
  z.describe('Images from text. Unknown fields are rejected.'),
);

export const editImagesSchema = map(edit, (given, context) => {
  const images = [...(given.image ?? []), ...(given.images ?? [])];
  if (images.length === 0)
    return refuse(context, 'is required: the image to edit, or a list of them.', { path: ['image'] });
  if (images.length > MAX_EDITED_IMAGES)
    return refuse(context, `and image ${TOO_MANY}`, { path: ['images'] });
  return toRequest(given, images.map(imagePart<GivenImage>), context);
}).check(z.describe('Images from text and images. Unknown fields are rejected.'));

export const readGenerateImages = (body: unknown): Parsed<ImagesRequest> =>
  parseNoting(generateImagesSchema, body);
export const readEditImages = (body: unknown): Parsed<ImagesRequest> => parseNoting(editImagesSchema, body);

/** In a form, images are files. */
export const editImagesFormSchema = z
  .object({
    ...shared,
    image: z
      .array(z.file())
      .check(
        z.minLength(1),
        z.maxLength(MAX_EDITED_IMAGES),
        z.describe('The images to edit: repeat the field, with or without [] after its name.'),
      ),
  })
  .check(z.describe('An edit as a form. Unknown fields are rejected.'));
