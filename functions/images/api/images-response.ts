import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openAiDialect } from '../../platform/api/errors.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { readImageHeader } from '../../platform/domain/input-image.ts';
import type { GeneratedImage } from '../domain/image-request.ts';

/** Server-sent events. */
export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

export const namedEvent = (name: string, data: unknown): string => `event: ${name}\n${dataEvent(data)}`;

/** A line that clients skip; it shows everybody on the way that the connection is in use. */
export const HEARTBEAT = ': working\n\n';
export const HEARTBEAT_MILLISECONDS = 5000;

export async function* heartbeatsUntil(outcome: Promise<unknown>, interval: number): AsyncGenerator<string> {
  const settled = new AbortController();
  const stop = () => settled.abort();
  outcome.then(stop, stop);
  while (!settled.signal.aborted) {
    const beat = await sleep(interval, true, { signal: settled.signal }).catch(() => false);
    if (beat) yield HEARTBEAT;
  }
}

/** What the image itself says, since the upstream decides on its format. */
const madeOf = ({ image }: GeneratedImage) => {
  const header = readImageHeader(Buffer.from(image.base64, 'base64'));
  return {
    output_format: (header?.mimeType ?? image.mimeType).replace('image/', ''),
    size: header === undefined ? 'auto' : `${header.width}x${header.height}`,
  };
};

/** An upstream that does not split its count has counted text alone, or does not tell. */
const usageOf = ({ tokens, promptImageTokens = 0 }: GeneratedImage) => ({
  input_tokens: tokens.prompt,
  output_tokens: tokens.output,
  total_tokens: tokens.total,
  input_tokens_details: {
    text_tokens: Math.max(0, tokens.prompt - promptImageTokens),
    image_tokens: promptImageTokens,
  },
});

export const imagesResponse = (time: number, generated: GeneratedImage) => ({
  created: Math.floor(time / 1000),
  data: [{ b64_json: generated.image.base64 }],
  ...madeOf(generated),
  usage: usageOf(generated),
});

/** Which of the two routes an event belongs to, as the first part of its type. */
export const EVENT_FAMILIES = ['image_generation', 'image_edit'] as const;
export type EventFamily = (typeof EVENT_FAMILIES)[number];

export type EventOptions = {
  readonly family: EventFamily;
  readonly time: number;
  readonly background: 'auto' | 'opaque';
};

export const completedEvent = ({ family, time, background }: EventOptions, generated: GeneratedImage) => ({
  type: `${family}.completed`,
  created_at: Math.floor(time / 1000),
  b64_json: generated.image.base64,
  ...madeOf(generated),
  quality: 'auto',
  background,
  usage: usageOf(generated),
});

const count = z.int().check(z.gte(0));
const made = {
  output_format: z.string().check(z.describe('What the image is: jpeg, png or webp.')),
  size: z.string().check(z.describe('The pixels of the image, as 1024x1024.')),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_tokens_details: z.object({ text_tokens: count, image_tokens: count }),
  }),
};

export const imagesResponseSchema = z.object({
  created: z.int(),
  data: z.array(z.object({ b64_json: z.string() })).check(z.minLength(1), z.maxLength(1)),
  ...made,
});

export const imageEventSchema = z
  .object({
    type: z.enum(EVENT_FAMILIES.map((family) => `${family}.completed` as const)),
    created_at: z.int(),
    b64_json: z.string(),
    ...made,
    quality: z.literal('auto'),
    background: z.enum(['auto', 'opaque']),
  })
  .check(z.describe('The data of the one event of a streamed image.'));

/** The one event of a streamed image, or of its failure: the status went out long before. */
export async function* imageEvents(
  outcome: Promise<GeneratedImage | DomainError>,
  options: EventOptions,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  yield HEARTBEAT;
  yield* heartbeatsUntil(outcome, heartbeatInterval);
  const generated = await outcome;
  if (generated instanceof DomainError) {
    yield namedEvent('error', openAiDialect.errorBody(generated));
    return;
  }
  const event = completedEvent(options, generated);
  yield namedEvent(event.type, event);
}
