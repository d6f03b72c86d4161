import * as z from 'zod/mini';
import type { TokenCounts } from '../../billing/domain/charges.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { openAiDialect } from '../../platform/api/dialects.ts';
import { optional } from '../../platform/body/schema.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { GeneratedImage } from '../../upstream/domain/image-request.ts';
import type { MadeImage } from '../domain/kept-image.ts';
import { dataEvent, HEARTBEAT_MILLISECONDS, heartbeatsUntil } from './images-response.ts';
import type { ChatRequest, ImagePlace } from './read-chat-request.ts';

/** Every chunk of a completion has the same id and time. */
type Envelope = { readonly requestId: string; readonly time: number };

const toEnvelopeFields = ({ requestId, time }: Envelope, object: string) => ({
  id: `chatcmpl-${requestId}`,
  object,
  created: Math.floor(time / 1000),
  model: IMAGE_MODEL,
});

const toUsage = ({ prompt, output, total }: TokenCounts) => ({
  prompt_tokens: prompt,
  completion_tokens: output,
  total_tokens: total,
});

const dataUri = ({ image }: GeneratedImage): string => `data:${image.mimeType};base64,${image.base64}`;

/** In markdown, the text is a paragraph before the image. */
const leadingText = ({ text }: GeneratedImage): string => (text === '' ? '' : `${text}\n\n`);

const imageList = (generated: GeneratedImage) => [
  { type: 'image_url', image_url: { url: dataUri(generated) }, index: 0 },
];

const finishReason = ({ cutShort }: GeneratedImage): 'length' | 'stop' => (cutShort ? 'length' : 'stop');

const toMessage = (generated: GeneratedImage, place: ImagePlace) =>
  place === 'list'
    ? { content: generated.text, images: imageList(generated) }
    : { content: `${leadingText(generated)}![image](${dataUri(generated)})` };

export const chatCompletion = (envelope: Envelope, generated: GeneratedImage, place: ImagePlace) => ({
  ...toEnvelopeFields(envelope, 'chat.completion'),
  choices: [
    {
      index: 0,
      message: { role: 'assistant', ...toMessage(generated, place), refusal: null },
      logprobs: null,
      finish_reason: finishReason(generated),
    },
  ],
  usage: toUsage(generated.tokens),
});

const imageListSchema = z.array(
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }), index: z.int() }),
);
const usageSchema = z.object({
  prompt_tokens: z.int().check(z.gte(0)),
  completion_tokens: z.int().check(z.gte(0)),
  total_tokens: z.int().check(z.gte(0)),
});
const envelopeFields = { id: z.string(), created: z.int(), model: z.literal(IMAGE_MODEL) };
const finishReasonSchema = z.enum(['stop', 'length']);

export const chatCompletionSchema = z
  .object({
    ...envelopeFields,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string(),
          images: z.optional(imageListSchema),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: usageSchema,
  })
  .check(z.describe('The image is in message.content as markdown, or in message.images; never in both.'));

export const chatChunkSchema = z
  .object({
    ...envelopeFields,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.int(),
        delta: z.object({
          role: z.optional(z.literal('assistant')),
          content: z.optional(z.string()),
          images: z.optional(imageListSchema),
        }),
        logprobs: z.null(),
        finish_reason: z.nullable(finishReasonSchema),
      }),
    ),
    usage: z.optional(usageSchema),
    file_id: optional(
      z.string(),
      'In the last choice: the file in which the image is kept, if it is stored.',
    ),
  })
  .check(z.describe('The data of one event of a streamed chat completion.'));

/** Clients search for the end of an event from its start on every read, so large images are sent in short events. */
const PIECE_CHARACTERS = 65_536;
const DONE = 'data: [DONE]\n\n';

type Options = Envelope & Pick<ChatRequest, 'imagePlace' | 'includeUsage'>;

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS)
    yield text.slice(start, start + PIECE_CHARACTERS);
}

function* deltas(generated: GeneratedImage, { imagePlace }: Options): Generator<object> {
  if (imagePlace === 'list') {
    if (generated.text !== '') yield { content: generated.text };
    yield { images: imageList(generated) };
    return;
  }
  yield { content: `${leadingText(generated)}![image](` };
  for (const content of pieces(dataUri(generated))) yield { content };
  yield { content: ')' };
}

/** The events of a streamed completion. A failure is an event too, because the status has already been sent. */
export async function* chatEvents(
  outcome: Promise<MadeImage | DomainError>,
  options: Options,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  const envelope = toEnvelopeFields(options, 'chat.completion.chunk');
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): string =>
    dataEvent({ ...envelope, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...more });

  yield chunk({ role: 'assistant', content: '' });
  yield* heartbeatsUntil(outcome, heartbeatInterval);
  const generated = await outcome;
  if (generated instanceof DomainError) {
    yield dataEvent(openAiDialect.errorBody(generated));
    yield DONE;
    return;
  }
  for (const delta of deltas(generated, options)) yield chunk(delta);
  const { file } = generated;
  yield chunk({}, finishReason(generated), file === undefined ? {} : { file_id: file.id });
  if (options.includeUsage) yield dataEvent({ ...envelope, choices: [], usage: toUsage(generated.tokens) });
  yield DONE;
}
