import * as z from 'zod';
import {
  admitRequest,
  type Exchange,
  type Generator,
  type Handler,
  injectFault,
  sendJson,
} from '../exchange.ts';
import type { Operation } from '../operations.ts';
import { VideoFile } from '../padded-media.ts';
import { unreadablePicture } from '../pictures.ts';
import { parseJson, readBody, readJson } from '../request-body.ts';
import type { RenderResult } from '../studio.ts';
import type { Ending } from '../test-prompts.ts';
import { invalid, UpstreamError } from '../upstream-error.ts';
import { videoSpec } from '../video-request.ts';
import { sendWithVideos } from './inline-videos.ts';
import { type GoogleProtocol, requireModel } from './protocol.ts';
import { readVideoRequest } from './video-request.ts';

export const createVideo =
  (protocol: GoogleProtocol): Handler =>
  async (exchange, generator) => {
    const method = { medium: 'video', method: 'predictLongRunning' } as const;
    const model = requireModel(protocol, exchange, generator, method);
    const { body, digest } = await readJson(exchange);
    const spec = await videoSpec(model, readVideoRequest(body, protocol.kind), generator);
    await admitRequest(exchange, generator, spec, digest);
    sendJson(exchange.response, { name: protocol.operationName(await generator.operations.start(spec)) });
  };

const FILTERED =
  "We encountered an issue with the audio for your prompt, so it couldn't be created. This is a sample of a filtered answer; you have not been charged for this attempt.";

const failure = (code: number, message: string) => ({ done: true, error: { code, message } });

const testEnding = (ending: Ending, { toResult }: GoogleProtocol): object => {
  if (ending.kind === 'never') return {};
  if (ending.kind === 'error') return failure(ending.code, 'A test prompt makes this operation fail.');
  return { done: true, response: toResult(ending.kind === 'no-video' ? {} : { filtered: [FILTERED] }) };
};

const finishedState = (
  { toVideo, toResult }: GoogleProtocol,
  operation: Operation,
  results: readonly RenderResult[],
  generator: Generator,
): object => {
  const videos: object[] = [];
  for (const [sample, result] of results.entries()) {
    if (result.outcome === 'unreadable-picture') return failure(3, unreadablePicture);
    if (result.outcome === 'failed') return failure(13, `Video generation failed: ${result.message}`);
    const file = new VideoFile(result.path, operation.spec.testPrompts);
    videos.push(toVideo(operation, sample, file, generator));
  }
  return { done: true, response: toResult({ videos }) };
};

const sendOperation = async (
  protocol: GoogleProtocol,
  exchange: Exchange,
  generator: Generator,
  id: string,
) => {
  const operation = await generator.operations.find(id);
  if (operation === undefined || operation.spec.model !== exchange.groups.model) throw new UpstreamError(404);
  const { testPrompts } = operation.spec;
  await injectFault(exchange, generator, { place: 'poll', subject: operation.id, testPrompts });
  const results = generator.operations.results(operation);
  const state =
    results === undefined
      ? {}
      : testPrompts.ending === undefined
        ? finishedState(protocol, operation, results, generator)
        : testEnding(testPrompts.ending, protocol);
  await sendWithVideos(exchange.response, { name: protocol.operationName(operation), ...state });
};

export const getOperation =
  (protocol: GoogleProtocol): Handler =>
  (exchange, generator) =>
    sendOperation(protocol, exchange, generator, exchange.groups.operation ?? '');

const operationBody = z.object({ operationName: z.string() });

export const fetchPredictOperation =
  (protocol: GoogleProtocol): Handler =>
  async (exchange, generator) => {
    const parsed = operationBody.safeParse(parseJson(await readBody(exchange.request)));
    if (!parsed.success) throw invalid('Invalid value at `operationName`.');
    const { operationName } = parsed.data;
    const [, id = ''] = /\/operations\/([a-z0-9]{11})$/.exec(operationName) ?? [];
    const operation = await generator.operations.find(id);
    if (operation === undefined || protocol.operationName(operation) !== operationName)
      throw new UpstreamError(404);
    await sendOperation(protocol, exchange, generator, operation.id);
  };
