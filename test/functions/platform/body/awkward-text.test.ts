import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { readImageAction, readRouteModel } from '../../../../functions/catalogue/api/model-actions.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../../functions/images/api/read-chat-request.ts';
import { readEditImages, readGenerateImages } from '../../../../functions/images/api/read-images-request.ts';
import { nativeDialect, openAiDialect } from '../../../../functions/platform/api/dialects.ts';
import { readIdempotencyKey } from '../../../../functions/platform/api/parameters.ts';
import type { BodyFields } from '../../../../functions/platform/body/fields.ts';
import { readJsonContent } from '../../../../functions/platform/body/json-body.ts';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import { readBody } from '../../../../functions/platform/body/request-body.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { readFileTaskId } from '../../../../functions/videos/api/native-video.ts';
import { readVideoDraft } from '../../../../functions/videos/api/read-video-request.ts';
import { readListQuery } from '../../../../functions/videos/api/video-list.ts';
import { readDeliveryQuery, readEndpointQuery } from '../../../../functions/webhooks/api/webhook-object.ts';
import { newEndpointSchema } from '../../../../functions/webhooks/api/webhook-schema.ts';
import { isInFamily } from '../../../../lib/sample-generator/models.ts';
import { readPrompt } from '../../../../lib/sample-generator/read-test-prompts.ts';
import { captionScript } from '../../../../lib/sample-generator/render/caption.ts';
import { UpstreamError } from '../../../../lib/sample-generator/upstream-error.ts';
import { MODEL } from '../../../support/http.ts';
import { IMAGE_MODEL } from '../../../support/images/pictures.ts';
import { PNG } from '../../../support/images.ts';
import { longOr } from '../../../support/long-tests.ts';

/** Long enough that a quadratic algorithm takes seconds. */
const PATTERN_BYTES = 2 ** longOr(17, 18);

const fill = (unit: string, start = '', end = ''): string =>
  `${start}${unit.repeat(Math.ceil(PATTERN_BYTES / Buffer.byteLength(unit)))}${end}`;

const nest = (opening: string, closing: string): string => {
  const depth = Math.ceil(PATTERN_BYTES / (opening.length + closing.length));
  return `${opening.repeat(depth)}1${closing.repeat(depth)}`;
};

/** Near misses, openings without an end and odd characters, which make careless parsers slow. */
const AWKWARD_PATTERNS: Readonly<Record<string, string>> = {
  'opened markdown images': fill('!['),
  'markdown images without a URL': fill('![]('),
  'markdown images without an end': fill('![](data:image/'),
  'closed labels': fill(']('),
  'a label without an end': fill('a', '![', ']'),
  'small markdown images': fill('![](data:image/png;base64,AAAA)'),
  'opened test prompts': fill('[sample:'),
  'known test prompts': fill('delay 1s,', '[sample:', 'delay 1s]'),
  'short test prompts': fill('hang,', '[sample:', 'hang]'),
  'many pairs of brackets with a test prompt': fill('[sample: delay 1s]'),
  'unknown test prompts': fill('x;', '[sample:', ']'),
  'a test prompt of digits': fill('1', '[sample: delay ', 's]'),
  'a test prompt of spaces': fill(' ', '[sample:', ']'),
  'opening brackets': fill('['),
  'closing brackets': fill(']'),
  'nested brackets': nest('[', ']'),
  'nested objects': nest('{"a":', '}'),
  'nested arrays in an object': `{"prompt":${nest('[', ']')}}`,
  braces: fill('{}'),
  spaces: fill(' ', 'a', 'a'),
  'trailing spaces': fill(' ', 'a'),
  newlines: fill('\n', 'a', 'a'),
  'carriage returns and tabs': fill('\r\t', 'a', 'a'),
  quotes: fill('"'),
  backslashes: fill('\\'),
  'escaped quotes': fill('\\"'),
  'control characters': fill('\u0001'),
  'zero bytes': fill('\0'),
  surrogates: fill('\ud83d\ude00'),
  'lone surrogates': fill('\ud83d'),
  'combining marks': fill('\u0301', 'e'),
  'joined emoji': fill('\u{1f468}\u200d\u{1f469}\u200d'),
  'capitals that are longer in lower case': fill('İ'),
  'small letters that are longer in upper case': fill('ß'),
  'data URLs': fill('data:'),
  'a data URL of parameters': fill(';a', 'data:image/png', ',AAAA'),
  'Base64 that ends badly': fill('A', 'data:image/png;base64,', '!'),
  'Base64 of padding': fill('=', 'data:image/png;base64,'),
  'scheme letters': fill('a', '', ':/'),
  semicolons: fill(';'),
  commas: fill(','),
  'percent signs': fill('%'),
  'encoded colons': fill('%3a', '', '\n:'),
  colons: fill(':', '', '\n'),
  'model names': fill('image', '', '!'),
  digits: fill('1'),
  'fractions of digits': fill('1.'),
  'content type parameters': fill('; boundary=', 'multipart/form-data'),
  'dots and dashes': fill('.-'),
};

type TextReader = (text: string) => unknown;

const chat = (message: object, fields: object = {}) =>
  readChatRequest({ model: IMAGE_MODEL, messages: [message], ...fields });
const chatUrl = (url: string) => chat({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const native = (part: object, fields: object = {}) =>
  readNativeRequest(IMAGE_MODEL, { contents: [{ parts: [part] }], ...fields });
const ENDPOINT = { name: 'Hook', url: 'https://hooks.example.com', event_types: ['video.failed'] };
const webhook = (fields: object) => parseBody(newEndpointSchema, { ...ENDPOINT, ...fields });
const create = (fields: BodyFields) => readVideoDraft({ model: MODEL, prompt: 'a fox', ...fields });

const BOUNDARY = 'boundary';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (disposition: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}${more}\r\n\r\n${value}\r\n`;
const form = async (...parts: readonly string[]) =>
  readVideoDraft(
    await readBody(
      FORM_TYPE,
      Buffer.from([part('name="model"', MODEL), ...parts, `--${BOUNDARY}--\r\n`].join('')),
    ),
  );

const CANVAS = { width: 1280, height: 720, seed: 1, threads: 1, output: '', folder: '', label: 'label' };
const SHOWING = { from: 0, to: 1, fadeIn: true, fadeOut: true };

/** Every place where the service or its sample generator parses text from a client. */
const TEXT_READERS: Readonly<Record<string, TextReader>> = {
  'a user message of a chat': (content) => chat({ role: 'user', content }),
  'a system message of a chat': (content) => chat({ role: 'system', content }),
  'an assistant message of a chat': (content) => chat({ role: 'assistant', content }),
  'an assistant message in parts': (text) => chat({ role: 'assistant', content: [{ type: 'text', text }] }),
  'a chat image': chatUrl,
  'a chat image with a type': (type) => chatUrl(`data:${type};base64,AAAA`),
  'a chat role': (role) => chat({ role, content: 'a fox' }),
  'a chat model': (model) => chat({ role: 'user', content: 'a fox' }, { model }),
  'a chat configuration': (aspectRatio) =>
    chat({ role: 'user', content: 'a fox' }, { imageConfig: { aspectRatio, imageSize: aspectRatio } }),
  'a prompt of the Images API': (prompt) => readGenerateImages({ prompt }),
  'options of the Images API': (text) => readGenerateImages({ prompt: 'a fox', size: text, n: text }),
  'an image of an edit': (image) => readEditImages({ prompt: 'a fox', image }),
  'a native text': (text) => native({ text }),
  'a native image': (data) => native({ inlineData: { data, mimeType: 'image/png' } }),
  'a native image type': (mimeType) => native({ inlineData: { data: PNG.toString('base64'), mimeType } }),
  'a native instruction': (text) => native({ text }, { systemInstruction: { parts: [{ text }] } }),
  'a native modality': (text) =>
    native({ text: 'a fox' }, { generationConfig: { responseModalities: [text] } }),
  'a native model and action': (text) => readImageAction(text, ['google']),
  'a native route': readRouteModel,
  'the name of a file': readFileTaskId,
  'a prompt in JSON': (prompt) => create({ prompt }),
  'a negative prompt in JSON': (negativePrompt) => create({ negativePrompt }),
  'numbers in JSON': (text) => create({ seconds: text, seed: text }),
  'a size in JSON': (size) => create({ size }),
  'an image in JSON': (text) => create({ input_reference: text }),
  'Base64 in JSON': (text) =>
    create({ input_reference: { bytesBase64Encoded: text, mimeType: 'image/png' } }),
  "an unknown field's name": (name) => create({ [name]: 1 }),
  "an unknown field's name in metadata": (name) => create({ metadata: { [name]: 1, [`a${name}`]: 'x' } }),
  'a note in metadata': (note) => create({ metadata: { note } }),
  'Base64 under another name': (image_base64) => create({ image_base64 }),
  "an unknown field's name in a chat": (name) => chat({ role: 'user', content: 'a fox', [name]: {} }),
  'a reference type in JSON': (referenceType) => create({ referenceType }),
  'metadata in JSON': (metadata) => create({ metadata }),
  'a JSON body': (text) => readJsonContent('application/json', text),
  'a content type': (type) => readBody(type, '{}'),
  'a prompt in a form': (text) => form(part('name="prompt"', text)),
  'metadata in a form': (text) => form(part('name="metadata"', text)),
  "a form field's name": (text) => form(part(`name="${text}"`, 'x')),
  "a form field's short name": (text) => form(part(`name="${text.slice(0, 200)}"`, 'x')),
  "a form file's name": (text) => form(part(`name="input_reference"; filename="${text}"`, 'x')),
  "a form file's type": (text) =>
    form(part('name="input_reference"; filename="x"', 'x', `\r\nContent-Type: ${text}`)),
  'a form without parts': (text) => readBody(FORM_TYPE, Buffer.from(text)),
  'a list query': (text) => readListQuery((name) => (name === 'after' ? text : undefined)),
  'the limit of a list': (text) => readListQuery((name) => (name === 'limit' ? text : undefined)),
  'the order of a list': (text) => readListQuery((name) => (name === 'order' ? text : undefined)),
  'the name of a webhook endpoint': (name) => webhook({ name }),
  'the URL of a webhook endpoint': (url) => webhook({ url }),
  'the path of a webhook URL': (text) => webhook({ url: `https://hooks.example.com/${text}` }),
  'the host of a webhook URL': (text) => webhook({ url: `https://${text}.example.com/` }),
  'an event type of a webhook endpoint': (text) => webhook({ event_types: [text] }),
  'a list of webhook endpoints': (text) => readEndpointQuery((name) => (name === 'after' ? text : undefined)),
  'a list of deliveries': (text) => readDeliveryQuery((name) => (name === 'after' ? text : undefined)),
  'an idempotency key': readIdempotencyKey,
  'an API key in the OpenAI dialect': (text) =>
    openAiDialect.readApiKey({ header: () => `Bearer ${text}`, query: () => undefined }),
  'an API key in the native dialect': (text) =>
    nativeDialect.readApiKey({
      header: (name) => (name === 'authorization' ? `Bearer ${text}` : undefined),
      query: () => undefined,
    }),
  'the test prompts for a video': (text) => readPrompt(text, 'video'),
  'the test prompts for an image': (text) => readPrompt(text, 'image'),
  'a model of the sample generator': (text) => isInFamily('image', text),
  'a caption': (prompt) => captionScript({ ...CANVAS, kind: 'image', references: [], prompt }, SHOWING),
};

const MOST_MILLISECONDS = 1000;
/** Stops an endless parser of any of the patterns, even in the middle of a regular expression. */
const TIMEOUT = 30 * MOST_MILLISECONDS;
const LONGEST_MESSAGE = 1000;

const runLimited = (work: () => unknown): unknown => {
  Object.assign(globalThis, { limitedWork: work });
  return runInThisContext('limitedWork()', { timeout: TIMEOUT });
};

const isRejection = (error: unknown): error is Error =>
  (error instanceof DomainError && error.rule.http < 500) ||
  (error instanceof UpstreamError && error.code < 500);

const messageFault = (message: string): string | undefined => {
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters`;
  if (/\p{Cc}/u.test(message)) return 'a message with control characters';
  return message.isWellFormed() ? undefined : 'a message that is not well-formed';
};

/** Returns undefined if a text is accepted or rejected in one line, in time. */
const findFault = (started: NodeJS.CpuUsage, error: unknown): string | undefined => {
  // CPU time, since other tests run at the same time.
  const { user, system } = process.cpuUsage(started);
  const milliseconds = (user + system) / 1000;
  if (milliseconds >= MOST_MILLISECONDS) return `${milliseconds} ms`;
  if (error === undefined) return undefined;
  return isRejection(error) ? messageFault(error.message) : String(error);
};

/** Reads one text after another, up to one that must be awaited: to limit each would take longer than to read it. */
const readMany = (
  read: TextReader,
  texts: Iterable<readonly [pattern: string, text: string]>,
  faults: string[],
): Promise<boolean> | false => {
  for (const [pattern, text] of texts) {
    const started = process.cpuUsage();
    const note = (error?: unknown): boolean => {
      const fault = findFault(started, error);
      if (fault !== undefined) faults.push(`${pattern}: ${fault}`);
      return true;
    };
    try {
      const result = read(text);
      if (result instanceof Promise) return result.then(() => note(), note);
      note();
    } catch (error) {
      note(error);
    }
  }
  return false;
};

describe(`${PATTERN_BYTES / 1024} KB of any awkward pattern are accepted, or rejected in one line, within a second`, () => {
  for (const [reader, read] of Object.entries(TEXT_READERS))
    test(`as ${reader}`, async () => {
      const faults: string[] = [];
      const texts = Object.entries(AWKWARD_PATTERNS).values();
      let isMore: unknown = true;
      while (isMore === true) isMore = await runLimited(() => readMany(read, texts, faults));
      assert.deepEqual([...texts], []);
      assert.deepEqual(faults, []);
    });
});
