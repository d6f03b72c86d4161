import * as z from 'zod';
import type { VideoRequest } from '../media-spec.ts';
import { type Form, validate } from '../request-body.ts';
import { RESOLUTIONS } from '../test-prompts.ts';
import { invalid } from '../upstream-error.ts';

/**
 * Where the server reads the options that the Videos API does not have. Like real servers, it ignores every other field
 * silently. `media-generation` is another deployment of this service, which knows all options.
 */
export type OptionStyle = 'none' | 'metadata' | 'top-level' | 'media-generation';

type Fields = Readonly<Record<string, unknown>>;

const SIZES = {
  '1280x720': { resolution: '720p', isLandscape: true },
  '720x1280': { resolution: '720p', isLandscape: false },
  '1920x1080': { resolution: '1080p', isLandscape: true },
  '1080x1920': { resolution: '1080p', isLandscape: false },
  '3840x2160': { resolution: '4k', isLandscape: true },
  '2160x3840': { resolution: '4k', isLandscape: false },
} as const;
type Size = keyof typeof SIZES;
const isSize = (text: string): text is Size => Object.hasOwn(SIZES, text);

const SECONDS: readonly string[] = ['4', '6', '8'];

/** Numbers are texts in forms. */
const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
]);

const optionsSchema = z.object({
  durationSeconds: wholeNumber.optional(),
  resolution: z.enum(RESOLUTIONS).optional(),
  aspectRatio: z.enum(['16:9', '9:16']).optional(),
  negativePrompt: z.string().optional(),
  seed: wholeNumber.optional(),
});
type Options = z.infer<typeof optionsSchema>;

export const invalidValue = (field: string, message: string) =>
  invalid(`Invalid value for '${field}': ${message}.`, field);

const parseOptions = (fields: Fields): Options => validate(optionsSchema, fields, invalidValue);

const parseObject = (text: string): Fields => {
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch {
    throw invalid("'metadata' must be a JSON object.", 'metadata');
  }
};

/** One field with JSON, as the service sends it. */
const readMetadata = ({ metadata }: Fields): Options =>
  parseOptions(typeof metadata === 'string' ? parseObject(metadata) : {});

const READERS: Readonly<Record<OptionStyle, (fields: Fields) => Options>> = {
  none: () => ({}),
  metadata: readMetadata,
  'top-level': ({ negative_prompt: negativePrompt, resolution, aspectRatio, seed }) =>
    parseOptions({ negativePrompt, resolution, aspectRatio, seed }),
  'media-generation': readMetadata,
};

const readText = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const findFiles = ({ files }: Form, name: string): readonly Buffer[] =>
  files.filter(({ field }) => field === name).map(({ bytes }) => bytes);

const readImages = (form: Form, style: OptionStyle) => {
  const [first] = findFiles(form, 'input_reference');
  if (style !== 'media-generation') return { first };
  const [last] = findFiles(form, 'last_frame');
  return { first, last, references: findFiles(form, 'reference_images') };
};

/** The model comes first, because an unknown one has another status. */
export const readVideoModel = ({ fields }: Form): string => {
  const model = readText(Object.fromEntries(fields), 'model');
  if (model === undefined) throw invalid("Missing required parameter: 'model'.", 'model');
  return model;
};

/** Reads the form of `POST /v1/videos`. */
export const readVideoRequest = (form: Form, style: OptionStyle): VideoRequest => {
  const fields = Object.fromEntries(form.fields);
  const prompt = readText(fields, 'prompt');
  if (prompt === undefined) throw invalid("Missing required parameter: 'prompt'.", 'prompt');
  const seconds = readText(fields, 'seconds') ?? '4';
  if (!SECONDS.includes(seconds))
    throw invalid(
      `Invalid value: '${seconds.slice(0, 20)}'. Supported values are: '4', '6' and '8'.`,
      'seconds',
    );
  const size = readText(fields, 'size') ?? '720x1280';
  if (!isSize(size))
    throw invalid(
      `Invalid value for 'size'. Supported values are: ${Object.keys(SIZES).join(', ')}.`,
      'size',
    );
  const options = READERS[style](fields);
  return {
    prompt,
    seconds: options.durationSeconds ?? Number(seconds),
    resolution: options.resolution ?? SIZES[size].resolution,
    isLandscape: options.aspectRatio === undefined ? SIZES[size].isLandscape : options.aspectRatio === '16:9',
    seed: options.seed,
    ...readImages(form, style),
  };
};
