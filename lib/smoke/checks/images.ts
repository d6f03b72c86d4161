import { randomUUID } from 'node:crypto';
import {
  type Answer,
  at,
  expectAnswer,
  expectStatus,
  expectTrue,
  failure,
  listAt,
  readEvents,
  textAt,
} from '../answers.ts';
import type { Api } from '../api.ts';
import { IMAGE_MODEL } from '../offer.ts';
import type { Check } from '../run-checks.ts';

/** JPEG markers that contain the size of the image. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegLongerSide = (bytes: Buffer): number => {
  let offset = 2;
  while (offset + 9 < bytes.length && bytes[offset] === 0xff) {
    const marker = bytes.readUInt8(offset + 1);
    if (isFrame(marker)) return Math.max(bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7));
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return 0;
};

/** The longer side of a JPEG or PNG in pixels; 0 for anything else. */
const longerSide = (bytes: Buffer): number => {
  if (bytes.length > 24 && bytes.toString('latin1', 1, 4) === 'PNG')
    return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegLongerSide(bytes) : 0;
};

const PROMPT = 'A lighthouse at dusk';
const CONFIG = { aspectRatio: '16:9', imageSize: '4K' };
/** A 4K image takes up to half a minute, or longer if the upstream is busy. */
const TIMEOUT_SECONDS = 300;
const SMALLEST_4K = 3840;

export const NATIVE_IMAGE = `/v1beta/models/${IMAGE_MODEL}:generateContent`;
const NATIVE_STREAM = `/v1beta/models/${IMAGE_MODEL}:streamGenerateContent?alt=sse`;

const native = (api: Api, path: string): Promise<Answer> =>
  api.anonymous('POST', path, {
    headers: { 'x-vendor-api-key': api.apiKey, 'idempotency-key': randomUUID() },
    json: {
      contents: [{ parts: [{ text: PROMPT }] }],
      generationConfig: { responseModalities: ['image'], imageConfig: CONFIG },
    },
    timeoutSeconds: TIMEOUT_SECONDS,
  });

const chat = (api: Api, stream: boolean): Promise<Answer> =>
  api.call('POST', '/v1/chat/completions', {
    headers: { 'idempotency-key': randomUUID() },
    json: {
      model: IMAGE_MODEL,
      stream,
      extra_body: { imageConfig: CONFIG },
      messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }],
    },
    timeoutSeconds: TIMEOUT_SECONDS,
  });

const imagesInNative = (document: unknown): readonly string[] =>
  listAt(document, 'candidates', 0, 'content', 'parts')
    .filter((part) => at(part, 'thought') !== true)
    .map((part) => textAt(part, 'inlineData', 'data'))
    .filter((data) => data !== '');

const imagesInMarkdown = (text: string): readonly string[] =>
  Array.from(text.matchAll(/data:image\/[a-z]+;base64,([^)]+)\)/g), ([, data = '']) => data);

const expectImage = (images: readonly string[], answer: Answer): void => {
  expectTrue(images.length > 0, 'an image', 'none', answer);
  const side = longerSide(Buffer.from(images.at(-1) ?? '', 'base64'));
  expectTrue(side >= SMALLEST_4K, `an image of at least ${SMALLEST_4K} pixels`, `${side} pixels`, answer);
};

/** The events of a stream; an error event fails the check. */
const expectEvents = (answer: Answer): readonly unknown[] => {
  const type = answer.headers.get('content-type') ?? 'none';
  expectTrue(type.startsWith('text/event-stream'), 'content type text/event-stream', type, answer);
  const events = readEvents(answer.bytes.toString());
  const error = events.find((event) => at(event, 'error') !== undefined);
  if (error !== undefined)
    throw failure('events without an error', `the error ${textAt(error, 'error', 'code')}`, answer);
  return events;
};

/** The files in which the service keeps the image: in a header, or in an event if the headers were sent before. */
const keptFiles = ({ headers }: Answer, events: readonly unknown[]): readonly string[] =>
  [headers.get('x-file-id') ?? '', ...events.map((event) => textAt(event, 'file_id'))]
    .flatMap((ids) => ids.split(','))
    .map((id) => id.trim())
    .filter((id) => id !== '');

const removeFiles = async (api: Api, answer: Answer, events: readonly unknown[]): Promise<void> => {
  for (const id of keptFiles(answer, events)) expectStatus(await api.call('DELETE', `/v1/files/${id}`), 200);
};

type ReadImages = (answer: Answer, events: readonly unknown[]) => readonly string[];

const imageCheck = (format: string, send: (api: Api) => Promise<Answer>, read: ReadImages): Check => ({
  name: `generates a 4K image, ${format}`,
  images: 1,
  run: async ({ api }) => {
    const answer = await expectAnswer(200, send(api));
    const events = format.endsWith('streamed') ? expectEvents(answer) : [];
    expectImage(read(answer, events), answer);
    await removeFiles(api, answer, events);
  },
});

const readChatStream: ReadImages = (answer, events) => {
  expectTrue(events.at(-1) === '[DONE]', '[DONE] at the end', 'another event', answer);
  return imagesInMarkdown(events.map((event) => textAt(event, 'choices', 0, 'delta', 'content')).join(''));
};

export const imageChecks: readonly Check[] = [
  imageCheck(
    'native format',
    (api) => native(api, NATIVE_IMAGE),
    ({ json }) => imagesInNative(json),
  ),
  imageCheck(
    'native format, streamed',
    (api) => native(api, NATIVE_STREAM),
    (_, events) => events.flatMap(imagesInNative),
  ),
  imageCheck(
    'chat format',
    (api) => chat(api, false),
    ({ json }) => imagesInMarkdown(textAt(json, 'choices', 0, 'message', 'content')),
  ),
  imageCheck('chat format, streamed', (api) => chat(api, true), readChatStream),
];
