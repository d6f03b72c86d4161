import * as z from 'zod';
import { admitRequest, type Exchange, type Generator, type Handler, sendJson } from '../exchange.ts';
import { type ImageRequest, type ImageSpec, imageSpec } from '../image-request.ts';
import { afterDelay, countTokens, renderFinalJpeg } from '../images.ts';
import { isInFamily, isRetired } from '../models.ts';
import { readForm, readJson, validate } from '../request-body.ts';
import { invalid, UpstreamError } from '../upstream-error.ts';
import { invalidValue } from './video-request.ts';
import { unknownModel } from './videos.ts';

const MAX_IMAGES = 4;

/** Numbers are texts in forms. */
const count = z.union([z.int(), z.string().regex(/^\d$/).transform(Number)]);

const body = z.object({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: count.default(1),
  size: z.string().default('auto'),
  response_format: z.literal('b64_json').optional(),
});

const SQUARE = { width: 1024, height: 1024 };
const MAX_PIXELS = 20_000_000;

/** Any even number of pixels, as the encoder needs it. */
const readPixels = (size: string) => {
  if (size === 'auto') return SQUARE;
  const [, width = 0, height = 0] = /^(\d{2,5})x(\d{2,5})$/.exec(size)?.map(Number) ?? [];
  const isPossible = Math.min(width, height) >= 64 && width * height <= MAX_PIXELS;
  if (!isPossible || width % 2 !== 0 || height % 2 !== 0)
    throw invalid("Invalid value for 'size': use WIDTHxHEIGHT in even numbers of pixels.", 'size');
  return { width, height };
};

const BLOCKED =
  'Your request was rejected as a result of our safety system. Your request may contain content that is not allowed by our safety system.';

const toResponse = async (spec: ImageSpec, number: number, { renderCache }: Generator) => {
  if (spec.testPrompts.blocked !== undefined)
    throw new UpstreamError(400, BLOCKED, { reason: 'moderation_blocked' });
  const wanted = spec.testPrompts.textOnly === true ? 0 : number;
  const data: { readonly b64_json: string }[] = [];
  for (let index = 0; index < wanted; index += 1)
    data.push({ b64_json: (await renderFinalJpeg(spec, renderCache, index)).toString('base64') });
  const { text, images, output } = countTokens(spec);
  const outputTokens = output * data.length;
  return {
    created: Math.floor(Date.now() / 1000),
    output_format: 'jpeg',
    size: `${spec.width}x${spec.height}`,
    data,
    usage: {
      input_tokens: text + images,
      input_tokens_details: { text_tokens: text, image_tokens: images },
      output_tokens: outputTokens,
      total_tokens: text + images + outputTokens,
    },
  };
};

type Received = { readonly input: unknown; readonly pictures: readonly Buffer[]; readonly digest: string };

const sendImages = async (
  exchange: Exchange,
  generator: Generator,
  { input, pictures, digest }: Received,
): Promise<void> => {
  const { model, prompt, n, size } = validate(body, input, invalidValue);
  if (n < 1 || n > MAX_IMAGES) throw invalid(`n must be from 1 to ${MAX_IMAGES}.`, 'n');
  if (!isInFamily('image', model) || isRetired(generator, model)) throw unknownModel(model);
  const request: ImageRequest = { prompt, pictures, ...readPixels(size) };
  const spec = await imageSpec(model, request, generator);
  await admitRequest(exchange, generator, spec, digest);
  sendJson(exchange.response, await afterDelay(exchange, spec, toResponse(spec, n, generator)));
};

export const createImages: Handler = async (exchange, generator) => {
  const { body: input, digest } = await readJson(exchange);
  await sendImages(exchange, generator, { input, pictures: [], digest });
};

const IMAGE_FIELDS: readonly string[] = ['image', 'image[]'];

export const editImages: Handler = async (exchange, generator) => {
  const { form, digest } = await readForm(exchange);
  const pictures = form.files.filter(({ field }) => IMAGE_FIELDS.includes(field)).map(({ bytes }) => bytes);
  if (pictures.length === 0) throw invalid("Missing required parameter: 'image'.", 'image');
  await sendImages(exchange, generator, { input: Object.fromEntries(form.fields), pictures, digest });
};
