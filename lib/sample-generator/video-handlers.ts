import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  Abandoned,
  acceptRequest,
  type Exchange,
  type Generator,
  type Handler,
  injectFault,
  requireModel,
  sendJson,
} from './exchange.ts';
import { fileId, type Operation, operationName, splitFileId } from './operations.ts';
import { mp4Padding, paddingSize } from './padding.ts';
import { unreadablePicture } from './pictures.ts';
import type { Ending } from './read-test-prompts.ts';
import type { RenderResult } from './render-cache.ts';
import { UpstreamError } from './upstream-error.ts';
import { videoSpec } from './video-request.ts';

export const createVideo: Handler = async (exchange, generator) => {
  const model = requireModel(exchange.groups.model, 'video', 'predictLongRunning');
  const spec = await acceptRequest(exchange, generator, model, videoSpec);
  sendJson(exchange.response, { name: operationName(await generator.operations.start(spec)) });
};

const RESPONSE_TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
const FILTERED =
  "We encountered an issue with the audio for your prompt, so it couldn't be created. This is a sample of a filtered answer; you have not been charged for this attempt.";

const response = (generateVideoResponse: object) => ({
  done: true,
  response: { '@type': RESPONSE_TYPE, generateVideoResponse },
});
const failure = (code: number, message: string) => ({ done: true, error: { code, message } });

const testEnding = (ending: Ending): object => {
  if (ending.kind === 'never') return {};
  if (ending.kind === 'error') return failure(ending.code, 'A test prompt makes this operation fail.');
  if (ending.kind === 'no-video') return response({});
  return response({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: [FILTERED] });
};

const toSample = async (operation: Operation, sample: number, path: string, { addresses }: Generator) => {
  const { inlineVideo, megabytes } = operation.spec.testPrompts;
  if (inlineVideo !== true) {
    return {
      video: { uri: `${addresses().own}/v1beta/files/${fileId(operation, sample)}:download?alt=media` },
    };
  }
  const clip = await readFile(path);
  const bytes = Buffer.concat([clip, ...mp4Padding(clip.length, megabytes)]);
  return { video: { encodedVideo: bytes.toString('base64'), encoding: 'video/mp4' } };
};

const finishedState = async (
  operation: Operation,
  results: readonly RenderResult[],
  generator: Generator,
) => {
  const samples: object[] = [];
  for (const [sample, result] of results.entries()) {
    if (result.outcome === 'unreadable-picture') return failure(3, unreadablePicture);
    if (result.outcome === 'failed') return failure(13, `Video generation failed: ${result.message}`);
    samples.push(await toSample(operation, sample, result.path, generator));
  }
  return response({ generatedSamples: samples });
};

export const getOperation: Handler = async (exchange, generator) => {
  const operation = await generator.operations.find(exchange.groups.operation ?? '');
  if (operation === undefined || operation.spec.model !== exchange.groups.model) throw new UpstreamError(404);
  const { testPrompts } = operation.spec;
  await injectFault(exchange, generator, { place: 'poll', subject: operation.id, testPrompts });
  const results = generator.operations.results(operation);
  const state =
    results === undefined
      ? {}
      : testPrompts.ending === undefined
        ? await finishedState(operation, results, generator)
        : testEnding(testPrompts.ending);
  sendJson(exchange.response, { name: operationName(operation), ...state });
};

const SIGN_IN_PAGE = '<!DOCTYPE html><title>Sign in</title><p>This is not the video.\n';

const findFile = async (id: string, { operations }: Generator) => {
  const { operation: operationId, sample } = splitFileId(id);
  const operation = await operations.find(operationId);
  const result = operation && operations.results(operation)?.[sample];
  const found = result?.outcome === 'rendered' ? await stat(result.path).catch(() => undefined) : undefined;
  // The upstream answers alike for missing and forbidden files.
  if (operation === undefined || result?.outcome !== 'rendered' || found === undefined) {
    throw new UpstreamError(403, `You do not have permission to access the File ${id} or it may not exist.`);
  }
  return { path: result.path, size: found.size, testPrompts: operation.spec.testPrompts };
};

/** The public URL of a file redirects to its content. */
export const redirectToFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  const { testPrompts } = await findFile(id, generator);
  await injectFault(exchange, generator, { place: 'file', subject: id, testPrompts });
  const { own, foreign } = generator.addresses();
  const location =
    testPrompts.foreignRedirect === true
      ? `${foreign}/storage/${id}`
      : `${own}/download/v1beta/files/${id}:download?alt=media`;
  exchange.response.writeHead(302, { location }).end();
};

async function* content(path: string, size: number, megabytes: number | undefined) {
  yield* createReadStream(path);
  yield* mp4Padding(size, megabytes);
}

async function* firstHalf(pieces: AsyncIterable<Buffer>, size: number) {
  let left = Math.floor(size / 2);
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

const sendPage = ({ response }: Exchange) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' });
  response.end(SIGN_IN_PAGE);
};

const sendHalf = async ({ response }: Exchange, pieces: AsyncIterable<Buffer>, size: number) => {
  await pipeline(Readable.from(firstHalf(pieces, size)), response, { end: false });
  // The half must reach the client before the connection breaks.
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.destroy();
};

export const sendFile: Handler = async (exchange, generator) => {
  const id = exchange.groups.file ?? '';
  const { path, size, testPrompts } = await findFile(id, generator);
  if (testPrompts.notMp4 === true) return sendPage(exchange);
  const total = size + paddingSize(size, testPrompts.megabytes);
  const fault = generator.faults.next('content', id, testPrompts);
  exchange.response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': total });
  const pieces = content(path, size, testPrompts.megabytes);
  try {
    if (fault === undefined) await pipeline(Readable.from(pieces), exchange.response);
    else await sendHalf(exchange, pieces, total);
  } catch (cause) {
    throw new Abandoned(undefined, { cause });
  }
};
