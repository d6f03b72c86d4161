import * as z from 'zod';
import { type Generator, type Handler, sendJson } from '../exchange.ts';
import { ASPECT_RATIOS, type ImageSize, imagePixels, isAspectRatio } from '../image-sizes.ts';
import { answerImage, countTokens, renderFinalJpeg } from '../images.ts';
import type { ImageSpec } from '../media-spec.ts';
import { isRetired } from '../models.ts';
import { randomText } from '../operations.ts';
import { readDataUrl, readJson, validate } from '../request-body.ts';
import { invalid, UpstreamError } from '../upstream-error.ts';
import { isImageModel } from './catalogue.ts';
import { noEndpoints } from './videos.ts';

const imageUrl = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1) }) });
const part = z.union([z.object({ type: z.literal('text'), text: z.string() }), imageUrl]);

const message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([z.string(), z.array(part)]),
});

const body = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  modalities: z.array(z.enum(['image', 'text'])).optional(),
  image_config: z
    .strictObject({ aspect_ratio: z.string().optional(), image_size: z.string().optional() })
    .optional(),
  seed: z.int().optional(),
  // The sample generator has no streams of chats.
  stream: z.literal(false).optional(),
});

/** The names of the sizes, which differ from Google's for the smallest one. */
const SIZES: Readonly<Record<string, ImageSize>> = { '1K': '1K', '2K': '2K', '4K': '4K' };

const readPixels = (config: z.infer<typeof body>['image_config'] = {}) => {
  const { aspect_ratio: aspectRatio = '1:1', image_size: name = '1K' } = config;
  if (!isAspectRatio(aspectRatio))
    throw invalid(`aspect_ratio must be one of ${ASPECT_RATIOS.join(', ')}.`, 'image_config.aspect_ratio');
  const size = Object.hasOwn(SIZES, name) ? SIZES[name] : undefined;
  if (size === undefined)
    throw invalid(`image_size must be one of ${Object.keys(SIZES).join(', ')}.`, 'image_config.image_size');
  return imagePixels(aspectRatio, size);
};

const readParts = ({ content }: z.infer<typeof message>) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;

const readImageRequest = ({ messages, modalities, image_config: config, seed }: z.infer<typeof body>) => {
  // Instructions guide the model and are no part of the picture.
  const turns = messages.filter(({ role }) => role !== 'system');
  const parts = turns.flatMap(readParts);
  const request = {
    prompt: parts
      .flatMap((item) => (item.type === 'text' ? item.text : []))
      .join(' ')
      .trim(),
    references: parts.flatMap((item) =>
      item.type === 'image_url' ? readDataUrl(item.image_url.url, 'messages') : [],
    ),
    seed,
    wantsImage: modalities?.includes('image') ?? false,
    ...readPixels(config),
  };
  if (request.prompt === '' && request.references.length === 0)
    throw invalid('messages must not be empty.', 'messages');
  return request;
};

/** The documented answer to a prompt that moderation refuses. */
const refusePrompt = () =>
  new UpstreamError(403, 'The prompt was flagged by moderation.', {
    metadata: {
      reasons: ['prohibited content'],
      flagged_input: 'a sample',
      provider_name: 'Google',
      model_slug: 'sample',
    },
  });

const IMAGE_COST = 0.067;

const answer = async (spec: ImageSpec, { renderCache }: Generator) => {
  const { blocked, textOnly } = spec.testPrompts;
  if (blocked === 'PROMPT') throw refusePrompt();
  if (blocked !== undefined)
    // A guess from the list of finish reasons: which of them Google's reasons become is not documented.
    return {
      finish_reason: blocked === 'NO_IMAGE' ? 'stop' : 'content_filter',
      native_finish_reason: blocked,
      message: { role: 'assistant', content: '', refusal: null },
    };
  const message = { role: 'assistant', content: `A sample: ${spec.prompt}`, refusal: null };
  const finished = { finish_reason: 'stop', native_finish_reason: 'STOP' };
  if (textOnly === true) return { ...finished, message };
  const jpeg = await renderFinalJpeg(spec, renderCache);
  const url = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  return { ...finished, message: { ...message, images: [{ type: 'image_url', image_url: { url } }] } };
};

const toResponse = async (spec: ImageSpec, generator: Generator) => {
  const choice = await answer(spec, generator);
  const { text, images, output } = countTokens(spec);
  const hasImage = 'images' in choice.message;
  const outputTokens = spec.testPrompts.blocked === undefined ? output : 0;
  return {
    id: `gen-${Math.floor(Date.now() / 1000)}-${randomText(20)}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: spec.model,
    provider: 'Google',
    system_fingerprint: null,
    choices: [{ index: 0, logprobs: null, ...choice }],
    usage: {
      prompt_tokens: text + images,
      completion_tokens: outputTokens,
      total_tokens: text + images + outputTokens,
      cost: hasImage ? IMAGE_COST : 0,
    },
  };
};

/** `POST /chat/completions`, of which the sample generator knows the part that makes images. */
export const createImage: Handler = async (exchange) => {
  const { body: input, digest } = await readJson(exchange);
  const given = validate(body, input, (field, message) => invalid(message, field));
  const { model } = given;
  if (!isImageModel(model) || isRetired(exchange.generator, model)) throw noEndpoints(model);
  const received = { model, request: readImageRequest(given), digest };
  const respond = (spec: ImageSpec) => toResponse(spec, exchange.generator);
  sendJson(exchange.response, await answerImage(exchange, received, respond));
};
