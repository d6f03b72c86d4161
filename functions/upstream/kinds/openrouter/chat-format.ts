import * as z from 'zod/mini';
import type { ImageConfig } from '../../../catalogue/domain/image-sizes.ts';
import { readCost } from '../../../platform/domain/money.ts';
import { noImage, unreadableAnswer } from '../../adapters/image-format.ts';
import { lenient, lenientCount, lenientText } from '../../adapters/lenient.ts';
import { dataUrl } from '../../adapters/request-bodies.ts';
import { UpstreamError } from '../../domain/faults.ts';
import {
  type ImageAnswer,
  type ImagePart,
  type ImageRequest,
  nativeDocument,
} from '../../domain/image-request.ts';

/** Images from chat completions, as OpenRouter makes them. */

const toItem = ({ content }: ImagePart) =>
  content.kind === 'text'
    ? { type: 'text', text: content.text }
    : { type: 'image_url', image_url: { url: dataUrl(content.image) } };

const toImageConfig = ({ aspectRatio, imageSize }: ImageConfig) => ({
  aspect_ratio: aspectRatio,
  image_size: imageSize,
});

const ROLES = { user: 'user', model: 'assistant' } as const;

const toMessages = ({ turns, systemInstruction }: ImageRequest) => [
  ...(systemInstruction === undefined ? [] : [{ role: 'system', content: systemInstruction }]),
  ...turns.map(({ role, parts }) => ({ role: ROLES[role], content: parts.map(toItem) })),
];

export const toChatRequest = (model: string, request: ImageRequest) => {
  const { config, sampling, safetySettings } = request;
  if (safetySettings !== undefined)
    throw new UpstreamError('operator', 'Chat completions have no safety settings.');
  return {
    model,
    messages: toMessages(request),
    // The models that make images always answer with text too.
    modalities: ['image', 'text'],
    ...((config.aspectRatio ?? config.imageSize) ? { image_config: toImageConfig(config) } : {}),
    seed: sampling.seed,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    stream: false,
  };
};

const itemSchema = z.object({ text: z.optional(z.string()) });
const answerSchema = z.object({
  id: lenientText,
  choices: z.array(
    z.object({
      message: z.object({
        content: z.optional(z.nullable(z.union([z.string(), z.array(itemSchema)]))),
        images: z.optional(z.nullable(z.array(z.object({ image_url: z.object({ url: z.string() }) })))),
        refusal: lenientText,
      }),
      finish_reason: lenientText,
      native_finish_reason: lenientText,
    }),
  ),
  usage: lenient(
    z.object({
      prompt_tokens: lenientCount,
      completion_tokens: lenientCount,
      total_tokens: lenientCount,
      cost: z.optional(z.unknown()),
    }),
    undefined,
  ),
});
type Answer = z.infer<typeof answerSchema>;
type Choice = Answer['choices'][number];

const readText = ({ message: { content } }: Choice): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('');
};

const noImageReason = (choice: Choice): string | undefined => {
  const { message, finish_reason: finished, native_finish_reason: nativeFinished } = choice;
  const reason = message.refusal || nativeFinished || finished;
  return reason && reason.toLowerCase() !== 'stop' ? `The generator made no image: ${reason}` : undefined;
};

const DATA_URL = /^data:(image\/[\w.+-]{1,50});base64,/;

/** The data is passed on as it is. */
const readDataUrl = (url: string) => {
  const [start, mimeType] = DATA_URL.exec(url) ?? [];
  if (start === undefined || mimeType === undefined) throw unreadableAnswer();
  return { mimeType, base64: url.slice(start.length) };
};

/** The last image is the final one. */
export const readChatAnswer = (received: unknown, { modalities }: ImageRequest): ImageAnswer => {
  const { data } = answerSchema.safeParse(received);
  const choice = data?.choices[0];
  if (data === undefined || choice === undefined) throw unreadableAnswer();
  const said = readText(choice);
  const last = choice.message.images?.at(-1);
  if (last === undefined) return noImage(noImageReason(choice), said);
  const { usage } = data;
  const answer = {
    image: readDataUrl(last.image_url.url),
    // The client may have asked for the image alone.
    text: modalities.includes('TEXT') ? said : '',
    cutShort: choice.finish_reason === 'length',
    tokens: {
      prompt: usage?.prompt_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
      total: usage?.total_tokens ?? 0,
    },
  };
  const document = nativeDocument(answer, data.id);
  return { outcome: 'image', ...answer, cost: readCost(usage?.cost, 'USD'), document };
};
