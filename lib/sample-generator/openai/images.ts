import * as z from 'zod';
import { type Exchange, type Generator, type Handler, sendJson } from '../exchange.ts';
import { answerImage, countTokens, renderFinalJpeg } from '../images.ts';
import type { ImageSpec } from '../media-spec.ts';
import { isInFamily, isRetired } from '../models.ts';
import { readForm, readJson, validate } from '../request-body.ts';
import { invalid, UpstreamError } from '../upstream-error.ts';
import { invalidValue } from './video-request.ts';
import { unknownModel } from './videos.ts';

const body = z.object({
  model: z.string().min(1),
  prompt: z.string().min(1),
  // The sample generator makes one image; numbers are texts in forms.
  n: z.literal([1, '1']).optional(),
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

const toResponse = async (spec: ImageSpec, { renderCache }: Generator) => {
  if (spec.testPrompts.blocked !== undefined)
    throw new UpstreamError(400, BLOCKED, { reason: 'moderation_blocked' });
  const images = spec.testPrompts.textOnly === true ? [] : [await renderFinalJpeg(spec, renderCache)];
  const { text, images: inputTokens, output } = countTokens(spec);
  const outputTokens = output * images.length;
  return {
    created: Math.floor(Date.now() / 1000),
    output_format: 'jpeg',
    size: `${spec.width}x${spec.height}`,
    data: images.map((jpeg) => ({ b64_json: jpeg.toString('base64') })),
    usage: {
      input_tokens: text + inputTokens,
      input_tokens_details: { text_tokens: text, image_tokens: inputTokens },
      output_tokens: outputTokens,
      total_tokens: text + inputTokens + outputTokens,
    },
  };
};

type Received = { readonly input: unknown; readonly pictures: readonly Buffer[]; readonly digest: string };

const sendImages = async (exchange: Exchange, { input, pictures, digest }: Received): Promise<void> => {
  const { model, prompt, size } = validate(body, input, invalidValue);
  if (!isInFamily('image', model) || isRetired(exchange.generator, model)) throw unknownModel(model);
  const request = { prompt, references: pictures, ...readPixels(size) };
  const respond = (spec: ImageSpec) => toResponse(spec, exchange.generator);
  sendJson(exchange.response, await answerImage(exchange, { model, request, digest }, respond));
};

export const createImages: Handler = async (exchange) => {
  const { body: input, digest } = await readJson(exchange);
  await sendImages(exchange, { input, pictures: [], digest });
};

const IMAGE_FIELDS: readonly string[] = ['image', 'image[]'];

export const editImages: Handler = async (exchange) => {
  const { form, digest } = await readForm(exchange);
  const pictures = form.files.filter(({ field }) => IMAGE_FIELDS.includes(field)).map(({ bytes }) => bytes);
  if (pictures.length === 0) throw invalid("Missing required parameter: 'image'.", 'image');
  await sendImages(exchange, { input: Object.fromEntries(form.fields), pictures, digest });
};
