import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import {
  Abandoned,
  acceptRequest,
  type Exchange,
  type Generator,
  type Handler,
  injectFault,
  parseJson,
  readBody,
  requireModel,
  sendJson,
} from './exchange.ts';
import { fileId, type Operation } from './operations.ts';
import { VideoFile } from './padded-media.ts';
import { unreadablePicture } from './pictures.ts';
import type { Ending } from './read-test-prompts.ts';
import type { RenderResult } from './studio.ts';
import { invalid, UpstreamError } from './upstream-error.ts';
import { objectAddress } from './video-files.ts';
import { videoSpec } from './video-request.ts';

export const createVideo: Handler = async (exchange, generator) => {
  const model = requireModel(exchange.groups.model, 'video', 'predictLongRunning');
  const spec = await acceptRequest(exchange, generator, model, videoSpec);
  sendJson(exchange.response, { name: generator.operationName(await generator.operations.start(spec)) });
};

const FILTERED =
  "We encountered an issue with the audio for your prompt, so it couldn't be created. This is a sample of a filtered answer; you have not been charged for this attempt.";

/** How a kind of upstream writes its results. */
type Dialect = {
  toVideo(operation: Operation, sample: number, file: VideoFile, generator: Generator): object;
  /** Without videos the operation ends empty. */
  response(result: { readonly videos?: readonly object[]; readonly filtered?: readonly string[] }): object;
};

const gemini: Dialect = {
  toVideo: (operation, sample, file, { addresses }) =>
    operation.spec.testPrompts.inlineVideo === true
      ? { video: { encodedVideo: file, encoding: 'video/mp4' } }
      : { video: { uri: `${addresses().own}/v1beta/files/${fileId(operation, sample)}:download?alt=media` } },
  response: ({ videos, filtered }) => ({
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse: {
      ...(videos && { generatedSamples: videos }),
      ...(filtered && { raiMediaFilteredCount: filtered.length, raiMediaFilteredReasons: filtered }),
    },
  }),
};

const vertex: Dialect = {
  toVideo: (operation, sample, file) => {
    const gcsUri = objectAddress(operation, sample);
    return gcsUri === undefined || operation.spec.testPrompts.inlineVideo === true
      ? { bytesBase64Encoded: file, mimeType: 'video/mp4' }
      : { gcsUri, mimeType: 'video/mp4' };
  },
  response: ({ videos, filtered = [] }) => ({
    '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
    raiMediaFilteredCount: filtered.length,
    ...(filtered.length > 0 && { raiMediaFilteredReasons: filtered }),
    ...(videos && { videos }),
  }),
};

const DIALECTS = { gemini, vertex };

const failure = (code: number, message: string) => ({ done: true, error: { code, message } });

const testEnding = (ending: Ending, { response }: Dialect): object => {
  if (ending.kind === 'never') return {};
  if (ending.kind === 'error') return failure(ending.code, 'A test prompt makes this operation fail.');
  return { done: true, response: response(ending.kind === 'no-video' ? {} : { filtered: [FILTERED] }) };
};

const finishedState = (
  operation: Operation,
  results: readonly RenderResult[],
  generator: Generator,
): object => {
  const { toVideo, response } = DIALECTS[generator.kind];
  const videos: object[] = [];
  for (const [sample, result] of results.entries()) {
    if (result.outcome === 'unreadable-picture') return failure(3, unreadablePicture);
    if (result.outcome === 'failed') return failure(13, `Video generation failed: ${result.message}`);
    const file = new VideoFile(result.path, operation.spec.testPrompts.megabytes);
    videos.push(toVideo(operation, sample, file, generator));
  }
  return { done: true, response: response({ videos }) };
};

/** Encodes pieces of any length; three bytes make four characters. */
async function* base64(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

async function* interleaved(texts: readonly string[], files: readonly VideoFile[]): AsyncGenerator<string> {
  for (const [position, text] of texts.entries()) {
    yield text;
    const file = files[position];
    if (file !== undefined) yield* base64(file.content());
  }
}

/** Sends JSON that can contain video files as Base64, without holding them in memory. */
const sendWithVideos = async (response: ServerResponse, value: unknown): Promise<void> => {
  const mark = randomUUID();
  const files: VideoFile[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof VideoFile)) return item;
    files.push(item);
    return mark;
  });
  const texts = json.split(mark);
  const sizes = await Promise.all(files.map((file) => file.size()));
  const lengths = [
    ...texts.map((text) => Buffer.byteLength(text)),
    ...sizes.map((size) => 4 * Math.ceil(size / 3)),
  ];
  response.writeHead(200, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': lengths.reduce((sum, length) => sum + length, 0),
  });
  try {
    await pipeline(Readable.from(interleaved(texts, files)), response);
  } catch (cause) {
    // A client may need only the beginning.
    throw new Abandoned(undefined, { cause });
  }
};

const sendOperation = async (exchange: Exchange, generator: Generator, id: string) => {
  const operation = await generator.operations.find(id);
  if (operation === undefined || operation.spec.model !== exchange.groups.model) throw new UpstreamError(404);
  const { testPrompts } = operation.spec;
  await injectFault(exchange, generator, { place: 'poll', subject: operation.id, testPrompts });
  const results = generator.operations.results(operation);
  const state =
    results === undefined
      ? {}
      : testPrompts.ending === undefined
        ? finishedState(operation, results, generator)
        : testEnding(testPrompts.ending, DIALECTS[generator.kind]);
  await sendWithVideos(exchange.response, { name: generator.operationName(operation), ...state });
};

export const getOperation: Handler = (exchange, generator) =>
  sendOperation(exchange, generator, exchange.groups.operation ?? '');

const operationBody = z.object({ operationName: z.string() });

export const fetchPredictOperation: Handler = async (exchange, generator) => {
  const parsed = operationBody.safeParse(parseJson(await readBody(exchange.request)));
  if (!parsed.success) throw invalid('Invalid value at `operationName`.');
  const { operationName } = parsed.data;
  const operation = await generator.operations.find(operationName.split('/').at(-1) ?? '');
  if (operation === undefined || generator.operationName(operation) !== operationName)
    throw new UpstreamError(404);
  await sendOperation(exchange, generator, operation.id);
};

/** The free call with which an operator checks a credential. */
export const listModels: Handler = async ({ response }) => sendJson(response, { models: [] });
