import * as z from 'zod/mini';
import { model } from '../../platform/body/model.ts';
import { parseBody, refuse } from '../../platform/body/parse.ts';
import { filledList, flag, leaf, lenientFields, says } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { IMAGE_MODEL, isOneOf } from '../../platform/domain/models.ts';
import {
  type GivenImagePart,
  type GivenImageRequest,
  type GivenImageTurn,
  holdsPrompt,
  MAX_TURNS,
  MODALITIES,
  textPart,
} from '../domain/image-request.ts';
import { type Message, message } from './chat-messages.ts';
import { firstOf, imageConfig, noTools, one, sampling } from './config.ts';

/** How the client wants the image: within the text as markdown, or in a list beside it. */
export type ImagePlace = 'markdown' | 'list';

export type ChatRequest = {
  readonly request: GivenImageRequest;
  readonly imagePlace: ImagePlace;
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

const CHAT_MODALITIES = ['text', 'image'] as const;
const MAX_MODALITIES = 10;

const modalities = leaf(
  (value, context): readonly unknown[] =>
    Array.isArray(value) &&
    value.length <= MAX_MODALITIES &&
    value.every((name) => isOneOf(CHAT_MODALITIES, name))
      ? value
      : refuse(context, `must be a list of ${listed(CHAT_MODALITIES)} with at most ${MAX_MODALITIES} items.`),
  {
    type: 'array',
    maxItems: MAX_MODALITIES,
    items: { type: 'string', enum: CHAT_MODALITIES },
    description: 'With image, the answer has message.images; without, the image as markdown.',
  },
);

/** SDKs differ in whether they merge `extra_body` into the body, so both places count. */
const configFields = {
  imageConfig: z.optional(imageConfig),
  google: z.optional(lenientFields({ image_config: z.optional(imageConfig) })),
};

const TEXT_ONLY = 'must be text: the answer is text with an image, so leave response_format out.';

const given = lenientFields({
  model: model([IMAGE_MODEL]),
  n: one,
  modalities: z.optional(modalities),
  messages: filledList(message, MAX_TURNS),
  stream: z.optional(flag().check(z.describe('Answer in server-sent events.'))),
  stream_options: z.optional(lenientFields({ include_usage: z.optional(flag()) })),
  ...configFields,
  extra_body: z.optional(lenientFields(configFields)),
  max_tokens: sampling.limit,
  max_completion_tokens: sampling.limit,
  temperature: sampling.temperature,
  top_p: sampling.share,
  seed: sampling.seed,
  tools: noTools,
  functions: noTools,
  response_format: z.optional(lenientFields({ type: z.literal('text', says(TEXT_ONLY, TEXT_ONLY)) })),
});

/** The upstream wants its signature on images of its own, which chat clients cannot keep: they go to the user's side. */
const turnsOf = (messages: readonly Message[]): GivenImageTurn[] => {
  const turns: GivenImageTurn[] = [];
  let earlier: GivenImagePart[] = [];
  for (const sent of messages) {
    if (sent.kind === 'answer') {
      if (sent.text !== '') turns.push({ role: 'model', parts: [textPart(sent.text)] });
      for (const image of sent.images) earlier.push(image);
    } else if (sent.kind === 'user') {
      turns.push({ role: 'user', parts: [...earlier, ...sent.parts] });
      earlier = [];
    }
  }
  turns.push({ role: 'user', parts: earlier });
  return turns.filter(({ parts }) => parts.length > 0);
};

const toRequest = (chat: z.output<typeof given>, context: z.core.ParsePayload): ChatRequest => {
  const turns = turnsOf(chat.messages);
  if (!holdsPrompt(turns))
    return refuse(context, 'must hold text or an image of the user.', { path: ['messages'] });
  const instructions = chat.messages.flatMap((sent) => (sent.kind === 'instruction' ? [sent.text] : []));
  const places = [chat.extra_body, chat].flatMap((place) => [
    place?.imageConfig,
    place?.google?.image_config,
  ]);
  const wanted = chat.modalities ?? [];
  return {
    request: {
      model: chat.model,
      turns,
      systemInstruction: instructions.length === 0 ? undefined : instructions.join('\n\n'),
      config: firstOf([
        ...places,
        ...chat.messages.map((sent) => (sent.kind === 'config' ? sent.config : undefined)),
      ]),
      modalities: wanted.length === 1 && wanted[0] === 'image' ? ['IMAGE'] : MODALITIES,
      sampling: {
        maxOutputTokens: chat.max_completion_tokens ?? chat.max_tokens,
        temperature: chat.temperature,
        topP: chat.top_p,
        seed: chat.seed,
      },
    },
    imagePlace: wanted.includes('image') ? 'list' : 'markdown',
    stream: chat.stream ?? false,
    includeUsage: chat.stream_options?.include_usage ?? false,
  };
};

export const chatRequestSchema = z
  .pipe(given, z.transform(toRequest))
  .check(z.describe('An image request in the chat-completion format. Unknown fields are ignored.'));

export const readChatRequest = (body: unknown): ChatRequest => parseBody(chatRequestSchema, body);
