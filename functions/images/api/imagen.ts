import * as z from 'zod/mini';
import { oneOfIgnoringCase, personGeneration } from '../../catalogue/api/request-fields.ts';
import {
  BEST_QUALITY,
  type ImageConversion,
  OUTPUT_FORMATS,
} from '../../catalogue/domain/image-conversion.ts';
import { IMAGE_ASPECT_RATIOS } from '../../catalogue/domain/image-sizes.ts';
import type { ImageModel } from '../../catalogue/domain/models.ts';
import { nativeDialect } from '../../platform/api/dialects.ts';
import { parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  filledList,
  flag,
  forms,
  ignored,
  lenientFields,
  map,
  optional,
  says,
  text,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import {
  type GeneratedImage,
  type ImageRequest,
  MAX_SEED,
  maxImages,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { imageSize, prompt, unsupported } from './image-options.ts';
import { toConversion } from './output-options.ts';

/** The limit of Google's Imagen models. */
export const MAX_SAMPLES = 4;

const elsewhere = unsupported('send images to generateContent.');
const instance = lenientFields({ prompt, image: elsewhere, referenceImages: elsewhere, mask: elsewhere });

/** A list of one. Open WebUI sends the object itself. */
const instances = forms(
  [
    [
      Array.isArray,
      map(
        filledList(instance, 1, 'must have one item: parameters.sampleCount is the number of images.'),
        ([first]) => first ?? z.NEVER,
      ),
    ],
    [() => true, instance],
  ],
  'must be a list of one object with a prompt.',
);

const FILTER_LEVELS = [
  'block_low_and_above',
  'block_medium_and_above',
  'block_only_high',
  'block_none',
] as const;

/** Imagen has one level for all categories. */
const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
];

const OUTPUT_TYPES = OUTPUT_FORMATS.map((format) => `image/${format}` as const);

const SPELLINGS = { sampleImageSize: ['imageSize'] };

const PARAMETERS = {
  sampleCount: optional(wholeNumber(1, MAX_SAMPLES), 'Number of images. Default: 1.'),
  aspectRatio: optional(choice(IMAGE_ASPECT_RATIOS), 'Aspect ratio.'),
  sampleImageSize: optional(imageSize, 'Resolution. Also accepted as imageSize.'),
  outputOptions: z.optional(
    lenientFields({
      mimeType: optional(
        choice(OUTPUT_TYPES),
        'Format of the images. Default: as the generator returns them.',
      ),
      compressionQuality: optional(
        wholeNumber(0, BEST_QUALITY),
        `Quality of image/jpeg and image/webp. Default: ${BEST_QUALITY}.`,
      ),
    }),
  ),
  personGeneration: z.optional(personGeneration),
  safetySetting: optional(oneOfIgnoringCase(FILTER_LEVELS), 'Level of the safety filter for all categories.'),
  includeRaiReason: optional(flag(), 'Whether the response has the reason instead of a filtered image.'),
  includeSafetyAttributes: z.optional(
    z.literal(false, says('must be false or be left out: the generator reports no such attributes.')),
  ),
  seed: optional(
    wholeNumber(0, MAX_SEED),
    'Generation seed of the first image; each further one has the next.',
  ),
  language: ignored(text(), 'The model detects the language of the prompt.'),
  addWatermark: z.optional(
    z.literal(true, says('must be true or be left out: images have an invisible watermark.')),
  ),
  enhancePrompt: z.optional(z.literal(true, says('must be true or be left out.'))),
  negativePrompt: unsupported('describe in the prompt what to leave out.'),
  guidanceScale: unsupported('the model decides how closely it follows the prompt.'),
  storageUri: unsupported('images are returned in the response.'),
};

const given = lenientFields({
  instances,
  parameters: z.optional(lenientFields(PARAMETERS, { spellings: SPELLINGS })),
  labels: ignored(anything({ team: 'a' })),
});

type ImagenRequest = {
  readonly request: Omit<ImageRequest, 'model'>;
  readonly count: number;
  readonly includeReasons: boolean;
  readonly conversion: ImageConversion | undefined;
};

const toRequest = (
  { instances: { prompt: words }, parameters: options = {} }: z.output<typeof given>,
  context: z.core.ParsePayload,
): ImagenRequest => {
  const { sampleCount: count = 1, safetySetting, outputOptions: output } = options;
  const format = OUTPUT_FORMATS.find((name) => output?.mimeType === `image/${name}`);
  const conversion = toConversion(format, output?.compressionQuality, context, [
    'parameters',
    'outputOptions',
    'compressionQuality',
  ]);
  const most = maxImages(options.sampleImageSize ?? '1K', format);
  if (count > most)
    return refuse(context, `must be at most ${most} at ${options.sampleImageSize} as ${output?.mimeType}.`, {
      path: ['parameters', 'sampleCount'],
    });
  return {
    request: {
      turns: [{ role: 'user', parts: [textPart(words)] }],
      safetySettings:
        safetySetting === undefined
          ? undefined
          : CATEGORIES.map((category) => ({ category, threshold: safetySetting.toUpperCase() })),
      config: { aspectRatio: options.aspectRatio, imageSize: options.sampleImageSize },
      modalities: ['IMAGE'],
      sampling: { seed: options.seed },
    },
    count,
    includeReasons: options.includeRaiReason ?? false,
    conversion,
  };
};

export const imagenRequestSchema = map(given, toRequest).check(
  z.describe('An image request in the format of Imagen. Field names may also be in snake_case.'),
);

export const readImagenRequest = (model: ImageModel, body: unknown) => {
  const { data, ignored } = parseNoting(imagenRequestSchema, body, SPELLINGS);
  return { data: { ...data, request: { model, ...data.request } }, ignored };
};

const predictionSchema = z.union([
  z.object({ mimeType: z.string(), bytesBase64Encoded: z.string() }),
  z.object({ raiFilteredReason: z.string() }),
]);

export const imagenResponseSchema = z
  .object({
    predictions: z.array(predictionSchema),
    errors: z.optional(
      z
        .array(z.object({ index: z.int(), code: z.int(), message: z.string(), status: z.string() }))
        .check(z.describe('Why images are missing; index counts from 0.')),
    ),
  })
  .check(z.describe('The images. If some could not be made, the others are returned.'));

type ImagenResponse = z.infer<typeof imagenResponseSchema>;
type Prediction = ImagenResponse['predictions'][number];

/** An image that was not made is missing, or has the reason of the safety filter. If there is nothing to return, it is an error. */
export const imagenResponse = (
  outcomes: readonly (GeneratedImage | DomainError)[],
  includeReasons: boolean,
): ImagenResponse => {
  const predictions: Prediction[] = [];
  const errors: NonNullable<ImagenResponse['errors']> = [];
  for (const [index, outcome] of outcomes.entries())
    if (!(outcome instanceof DomainError))
      predictions.push({ mimeType: outcome.image.mimeType, bytesBase64Encoded: outcome.image.base64 });
    else if (includeReasons && outcome.code === 'content_blocked')
      predictions.push({ raiFilteredReason: outcome.message });
    else errors.push({ index, ...nativeDialect.errorBody(outcome).error });
  if (predictions.length === 0) throw outcomes.find((outcome) => outcome instanceof DomainError);
  return { predictions, ...(errors.length === 0 ? {} : { errors }) };
};
