import * as z from 'zod/mini';
import { model } from '../../catalogue/api/model-field.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  filledList,
  flag,
  ignored,
  leaf,
  lenientFields,
  map,
  openFields,
} from '../../platform/body/schema.ts';
import type { Advice } from '../../platform/body/unknown-fields.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import {
  type GivenImagePart,
  type GivenImageRequest,
  type GivenImageTurn,
  holdsPrompt,
  MAX_TURNS,
  MODALITIES,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { type Message, message } from './chat-messages.ts';
import {
  imageConfig,
  imageCount,
  maxTokens,
  mergeConfigs,
  safetySettings,
  sampling,
} from './image-options.ts';
import { ASKS_FOR_TEXT, type ChatChores, noTools, plainTextFormat, refuseChores } from './text-requests.ts';
import { FIXED_CHAT_OPTIONS, UNAPPLIED_CHAT_OPTIONS } from './unapplied-options.ts';

/** Whether the image is markdown in the text or an item of a list. */
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
  (value, context): readonly unknown[] => {
    const isList = Array.isArray(value) && value.length <= MAX_MODALITIES;
    if (!isList || !value.every((name) => isOneOf(CHAT_MODALITIES, name)))
      return refuse(
        context,
        `must be a list of ${listed(CHAT_MODALITIES)} with at most ${MAX_MODALITIES} items.`,
      );
    return value.includes('image')
      ? value
      : refuse(context, `must include image, or be left out: ${ASKS_FOR_TEXT}`);
  },
  {
    type: 'array',
    maxItems: MAX_MODALITIES,
    items: { type: 'string', enum: CHAT_MODALITIES },
    contains: { enum: ['image'] },
    description:
      'If it is sent, the image is in message.images; otherwise it is markdown in message.content.',
  },
);

/** Some SDKs merge `extra_body` into the body and some send it as it is, so both places are read. */
const configFields = {
  imageConfig: z.optional(imageConfig),
  google: z.optional(
    lenientFields({
      image_config: z.optional(imageConfig),
      thinking_config: UNAPPLIED_CHAT_OPTIONS.thinking_config,
    }),
  ),
};

const SEND_CONFIG = `send imageConfig with aspectRatio and imageSize.`;
const ADVICE: Advice = [
  [['size', 'quality', 'width', 'height', 'aspect_ratio', 'image_size', 'generation_config'], SEND_CONFIG],
  [['image', 'images', 'image_url', 'image_urls', 'files'], 'send images as image_url parts of a message.'],
  [['prompt', 'input'], 'send messages.'],
];

const fields = lenientFields(
  {
    model: model([IMAGE_MODEL]),
    n: imageCount,
    modalities: z.optional(modalities),
    messages: filledList(message, MAX_TURNS),
    stream: z.optional(flag().check(z.describe('Respond with server-sent events.'))),
    stream_options: z.optional(
      lenientFields({ include_usage: z.optional(flag()), include_obfuscation: ignored(anything(false)) }),
    ),
    ...configFields,
    extra_body: z.optional(lenientFields(configFields, { advice: ADVICE })),
    max_tokens: maxTokens,
    max_completion_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    seed: sampling.seed,
    safety_settings: z.optional(safetySettings),
    tools: noTools,
    functions: noTools,
    response_format: z.optional(openFields({ type: plainTextFormat('text') })),
    ...FIXED_CHAT_OPTIONS,
    ...UNAPPLIED_CHAT_OPTIONS,
  },
  { advice: ADVICE },
);

/** Images of earlier answers go to the user's next turn: without their signatures, the upstream rejects its own. */
const toTurns = (messages: readonly Message[]): GivenImageTurn[] => {
  const turns: GivenImageTurn[] = [];
  let earlierImages: GivenImagePart[] = [];
  for (const entry of messages) {
    if (entry.kind === 'answer') {
      if (entry.text !== '') turns.push({ role: 'model', parts: [textPart(entry.text)] });
      for (const image of entry.images) earlierImages.push(image);
    } else if (entry.kind === 'user') {
      turns.push({ role: 'user', parts: [...earlierImages, ...entry.parts] });
      earlierImages = [];
    }
  }
  turns.push({ role: 'user', parts: earlierImages });
  return turns.filter(({ parts }) => parts.length > 0);
};

const toRequest = (
  chat: z.output<typeof fields>,
  context: z.core.ParsePayload,
  chores: ChatChores,
): ChatRequest => {
  const turns = toTurns(chat.messages);
  if (!holdsPrompt(turns))
    return refuse(context, 'must hold text or an image of the user.', { path: ['messages'] });
  const instructions = chat.messages.flatMap((entry) => (entry.kind === 'instruction' ? [entry.text] : []));
  const places = [chat.extra_body, chat].flatMap((place) => [
    place?.imageConfig,
    place?.google?.image_config,
  ]);
  const wanted = chat.modalities ?? [];
  const configs = [
    ...places,
    ...chat.messages.map((entry) => (entry.kind === 'config' ? entry.config : undefined)),
  ];
  if (chores === 'refuse')
    refuseChores(context, {
      instructions,
      turns,
      path: ['messages'],
      maxTokens: {
        given: chat.max_completion_tokens ?? chat.max_tokens,
        path: [chat.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens'],
      },
      wantsImage: wanted.includes('image') || configs.some((config) => config !== undefined),
    });
  return {
    request: {
      model: chat.model,
      turns,
      systemInstruction: instructions.length === 0 ? undefined : instructions.join('\n\n'),
      safetySettings: chat.safety_settings,
      config: mergeConfigs(configs),
      modalities: wanted.length === 1 ? ['IMAGE'] : MODALITIES,
      sampling: {
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

const chatSchema = (chores: ChatChores) =>
  map(fields, (chat, context) => toRequest(chat, context, chores)).check(
    z.describe('An image request in the chat-completion format. Unknown fields are rejected.'),
  );

export const chatRequestSchema = chatSchema('accept');
const SCHEMAS = { accept: chatRequestSchema, refuse: chatSchema('refuse') };

export const readChatRequest = (body: unknown, chores: ChatChores = 'accept'): Parsed<ChatRequest> =>
  parseNoting(SCHEMAS[chores], body);
