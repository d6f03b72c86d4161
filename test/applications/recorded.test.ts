/**
 * Sends the requests of applications that people run, as their source code builds them, with default and other
 * settings. Each file of `recorded` has those of one application; its `application` names the version. In them,
 * `{KEY}`, `{BASE_URL}`, `{PNG}` and `{JPEG}` stand for the key, the address and the Base64 of a picture.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { file, JPEG, PNG } from '../support/images.ts';
import { type Application, form, openApplication, type Reply } from './application.ts';
import {
  readChat,
  readChatList,
  readChatStream,
  readImages,
  readImageUrls,
  readModels,
  readNativeImages,
  readNativeModels,
  readNativeStream,
  readOperation,
  readPredictions,
  readResponse,
  readResponseStream,
  readRoutedVideo,
  readVideo,
} from './replies.ts';

const PICTURES = { PNG, JPEG };
const pictures = z.optional(z.array(z.string()));
const headers = z.record(z.string(), z.string());
const part = z.union([
  z.string(),
  z.strictObject({ file: z.enum(['PNG', 'JPEG']), name: z.string(), type: z.string() }),
]);

const expectation = z.strictObject({
  images: pictures,
  imageUrls: pictures,
  nativeImages: pictures,
  nativeStream: pictures,
  predictions: pictures,
  chat: pictures,
  chatList: pictures,
  response: pictures,
  responseStream: pictures,
  chatStream: z.optional(z.strictObject({ pictures: z.array(z.string()), hasUsage: z.boolean() })),
  video: z.optional(z.strictObject({ status: z.string(), size: z.string() })),
  /** The status of a video in the form of OpenRouter. */
  routedVideo: z.optional(z.string()),
  operation: z.optional(z.literal(true)),
  models: z.optional(z.array(z.string())),
  /** The models with this method; a pattern of those that must not be among them. */
  nativeModels: z.optional(
    z.strictObject({
      offered: z.array(z.string()),
      method: z.optional(z.string()),
      notOffered: z.optional(z.string()),
    }),
  ),
  /** A pattern of the message, which says what to change. Nothing is charged. */
  refusal: z.optional(z.string()),
  status: z.optional(z.int()),
  /** The header that names fields that are accepted, but not applied. */
  ignored: z.optional(z.string()),
});
type Expectation = z.infer<typeof expectation>;

const recording = z.strictObject({
  application: z.string(),
  providers: z.record(
    z.string(),
    z.strictObject({ setting: z.optional(z.string()), path: z.string(), headers }),
  ),
  requests: z.array(
    z.strictObject({
      title: z.string(),
      to: z.string(),
      method: z.optional(z.literal('GET')),
      path: z.string(),
      headers: z.optional(headers),
      json: z.optional(z.unknown()),
      form: z.optional(z.array(z.tuple([z.string(), part]))),
      expect: expectation,
    }),
  ),
});
type Recording = z.infer<typeof recording>;
type RecordedRequest = Recording['requests'][number];

const READERS = {
  images: readImages,
  imageUrls: readImageUrls,
  nativeImages: readNativeImages,
  nativeStream: readNativeStream,
  predictions: readPredictions,
  chat: readChat,
  chatList: readChatList,
  response: readResponse,
  responseStream: readResponseStream,
  chatStream: readChatStream,
  routedVideo: (reply) => readRoutedVideo(reply).status,
} satisfies { readonly [Name in keyof Expectation]?: (reply: Reply) => unknown };

const checkNativeModels = (reply: Reply, expected: NonNullable<Expectation['nativeModels']>): void => {
  const { offered, method, notOffered } = expected;
  const names = readNativeModels(reply)
    .filter((model) => method === undefined || model.supportedGenerationMethods.includes(method))
    .map(({ name }) => name);
  for (const name of offered) assert.ok(names.includes(`models/${name}`), name);
  if (notOffered !== undefined)
    assert.deepEqual(
      names.filter((name) => new RegExp(notOffered).test(name)),
      [],
    );
};

const checkReply = async (reply: Reply, expected: Expectation): Promise<void> => {
  for (const [name, read] of Object.entries(READERS)) {
    const value = Object(expected)[name];
    if (value !== undefined) assert.deepEqual(await read(reply), value);
  }
  if (expected.video !== undefined) assert.partialDeepStrictEqual(readVideo(reply), expected.video);
  if (expected.operation) readOperation(reply);
  if (expected.models !== undefined) {
    const names = readModels(reply);
    for (const name of expected.models) assert.ok(names.includes(name), name);
  }
  if (expected.nativeModels !== undefined) checkNativeModels(reply, expected.nativeModels);
  if (expected.ignored !== undefined)
    assert.equal(reply.headers.get('x-ignored-parameters'), expected.ignored);
};

const toBody = ({ json, form: parts }: RecordedRequest): unknown =>
  parts === undefined
    ? json
    : form(
        parts.map(([name, value]) => [
          name,
          typeof value === 'string' ? value : file(PICTURES[value.file], value.name, value.type),
        ]),
      );

const sender =
  (app: Application, { providers }: Recording) =>
  (request: RecordedRequest) => {
    const { path, headers: always } = providers[request.to] ?? assert.fail(`no provider ${request.to}`);
    const provider = app.provider(path, always);
    return request.method === 'GET'
      ? provider.get(request.path, request.headers)
      : provider.post(request.path, toBody(request), request.headers);
  };

/** The files with the key and address of the application's account. */
const readRecording = (path: string, { apiKey, baseUrl }: Application): Recording => {
  const text = readFileSync(path, 'utf8')
    .replaceAll('{KEY}', apiKey)
    .replaceAll('{BASE_URL}', baseUrl)
    .replaceAll('{PNG}', PNG.toString('base64'))
    .replaceAll('{JPEG}', JPEG.toString('base64'));
  return recording.parse(JSON.parse(text));
};

for (const path of globSync(join(import.meta.dirname, 'recorded', '*.json')).toSorted()) {
  const app = await openApplication();
  const recorded = readRecording(path, app);
  const send = sender(app, recorded);
  describe(recorded.application, () => {
    for (const request of recorded.requests)
      test(request.title, async () => {
        assert.notDeepEqual(request.expect, {});
        const { refusal, status } = request.expect;
        if (refusal !== undefined) await app.refuses(() => send(request), new RegExp(refusal), status);
        else await checkReply(await send(request), request.expect);
      });
  });
}
