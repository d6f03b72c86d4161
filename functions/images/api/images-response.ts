import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { readImageHeader } from '../../catalogue/domain/input-image.ts';
import { openAiDialect, openAiErrorSchema } from '../../platform/api/dialects.ts';
import { optional } from '../../platform/body/schema.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { type GeneratedImage, MAX_IMAGES } from '../../upstream/domain/image-request.ts';
import type { MadeImage } from '../domain/kept-image.ts';

export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

export const namedEvent = (name: string, data: unknown): string => `event: ${name}\n${dataEvent(data)}`;

/** A comment, which clients ignore; it keeps proxies from closing the connection as idle. */
export const HEARTBEAT = ': working\n\n';
export const HEARTBEAT_MILLISECONDS = 5000;

export async function* heartbeatsUntil(outcome: Promise<unknown>, interval: number): AsyncGenerator<string> {
  const settled = new AbortController();
  const stop = () => settled.abort();
  outcome.then(stop, stop);
  while (!settled.signal.aborted) {
    const isDue = await sleep(interval, true, { signal: settled.signal }).catch(() => false);
    if (isDue) yield HEARTBEAT;
  }
}

/** Read from the image itself, because the upstream chooses the format. */
export const describeImage = ({ image }: GeneratedImage) => {
  const header = readImageHeader(Buffer.from(image.base64, 'base64'));
  return {
    output_format: (header?.mimeType ?? image.mimeType).replace('image/', ''),
    size: header === undefined ? 'auto' : `${header.width}x${header.height}`,
  };
};

/** Without `promptImageTokens`, all tokens of the prompt count as text. */
export const toImageUsage = (...images: readonly GeneratedImage[]) => {
  const sum = (count: (image: GeneratedImage) => number): number =>
    images.reduce((total, image) => total + count(image), 0);
  return {
    input_tokens: sum(({ tokens }) => tokens.prompt),
    output_tokens: sum(({ tokens }) => tokens.output),
    total_tokens: sum(({ tokens }) => tokens.total),
    input_tokens_details: {
      text_tokens: sum(({ tokens, promptImageTokens = 0 }) => Math.max(0, tokens.prompt - promptImageTokens)),
      image_tokens: sum(({ promptImageTokens = 0 }) => promptImageTokens),
    },
  };
};

/** An image with the URL that the client asked for instead of the image itself. */
export type ShownImage = MadeImage & { readonly url?: string | undefined };
type Failure = { readonly index: number; readonly error: DomainError };
type ShownImages = {
  /** At least one; all have the same size. */
  readonly made: readonly [ShownImage, ...ShownImage[]];
  readonly failures: readonly Failure[];
};

/** Files and lost credentials of the images. A stream has both in its events, since its headers are sent before. */
export const imageHeaders = (images: readonly MadeImage[]): Record<string, string> => {
  const ids = images.flatMap(({ file }) => file?.id ?? []);
  const hasLost = images.some(({ contentCredentials }) => contentCredentials !== undefined);
  return {
    ...(ids.length > 0 && { 'x-file-id': ids.join(',') }),
    ...(hasLost && { 'x-content-credentials': 'removed' }),
  };
};

const toContent = ({ url, image }: ShownImage) => (url === undefined ? { b64_json: image.base64 } : { url });

export const imagesResponse = (time: number, { made, failures }: ShownImages) => ({
  created: Math.floor(time / 1000),
  data: made.map(toContent),
  ...describeImage(made[0]),
  usage: toImageUsage(...made),
  ...(failures.length === 0
    ? {}
    : { errors: failures.map(({ index, error }) => ({ index, ...openAiDialect.errorBody(error).error })) }),
});

/** The first part of an event's type, which depends on the route. */
const EVENT_FAMILIES = ['image_generation', 'image_edit'] as const;
export type EventFamily = (typeof EVENT_FAMILIES)[number];

type EventOptions = {
  readonly family: EventFamily;
  readonly time: number;
  readonly background: 'auto' | 'opaque';
};

const completedEvent = ({ family, time, background }: EventOptions, generated: ShownImage) => ({
  type: `${family}.completed`,
  created_at: Math.floor(time / 1000),
  ...toContent(generated),
  ...(generated.file === undefined ? {} : { file_id: generated.file.id }),
  content_credentials: generated.contentCredentials,
  ...describeImage(generated),
  quality: 'auto',
  background,
  usage: toImageUsage(generated),
});

const count = z.int().check(z.gte(0));
const contentFields = {
  b64_json: optional(z.string(), 'The image in Base64, unless a URL was requested.'),
  url: optional(z.url(), 'A signed URL of the stored image, valid for 5 minutes.'),
};
const imageFields = {
  output_format: z.string().check(z.describe('The format of the image: jpeg, png or webp.')),
  size: z.string().check(z.describe('Width and height in pixels, such as 1024x1024.')),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_tokens_details: z.object({ text_tokens: count, image_tokens: count }),
  }),
};

export const imagesResponseSchema = z.object({
  created: z.int(),
  data: z.array(z.object(contentFields)).check(z.minLength(1), z.maxLength(MAX_IMAGES)),
  ...imageFields,
  errors: optional(
    z.array(z.object({ index: z.int(), ...openAiErrorSchema.shape.error.shape })),
    'The images that could not be generated, by their position; absent if all were generated. They are not charged.',
  ),
});

export const imageEventSchema = z
  .object({
    type: z.enum(EVENT_FAMILIES.map((family) => `${family}.completed` as const)),
    created_at: z.int(),
    ...contentFields,
    file_id: optional(z.string(), 'The file in which the image is kept; absent if images are not stored.'),
    content_credentials: optional(
      z.literal('removed'),
      'Present if the conversion to another format or quality removed the content credentials (C2PA) of the image.',
    ),
    ...imageFields,
    quality: z.literal('auto'),
    background: z.enum(['auto', 'opaque']),
  })
  .check(z.describe('The data of the event with the streamed image.'));

/** One event per image. A failure is an event too, because the status has already been sent. */
export async function* imageEvents(
  outcomes: readonly Promise<ShownImage | DomainError>[],
  options: EventOptions,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  yield HEARTBEAT;
  for (const outcome of outcomes) {
    yield* heartbeatsUntil(outcome, heartbeatInterval);
    const generated = await outcome;
    if (generated instanceof DomainError) {
      yield namedEvent('error', openAiDialect.errorBody(generated));
    } else {
      const event = completedEvent(options, generated);
      yield namedEvent(event.type, event);
    }
  }
}
