import * as z from 'zod';
import { type Exchange, type Generator, type Handler, injectFault, sendJson } from '../exchange.ts';
import { type Operation, readOutcome } from '../operations.ts';
import { VideoFile } from '../padded-media.ts';
import { parseJson, readBody, readJson } from '../request-body.ts';
import { invalid, UpstreamError } from '../upstream-error.ts';
import { startVideo } from '../videos.ts';
import { sendWithVideos } from './inline-videos.ts';
import { type GoogleProtocol, requireModel } from './protocol.ts';
import { readVideoRequest } from './video-request.ts';

export const createVideo =
  (protocol: GoogleProtocol): Handler =>
  async (exchange) => {
    const model = requireModel(protocol, exchange, 'video');
    const { body, digest } = await readJson(exchange);
    const request = readVideoRequest(body, protocol.kind);
    const operation = await startVideo(exchange, { model, request, digest });
    sendJson(exchange.response, { name: protocol.operationName(operation) });
  };

const FILTERED =
  "We encountered an issue with the audio for your prompt, so it couldn't be created. This is a sample of a filtered answer; you have not been charged for this attempt.";

const toState = (protocol: GoogleProtocol, operation: Operation, generator: Generator): object => {
  const outcome = readOutcome(operation, generator.operations);
  if (outcome === undefined) return {};
  if (outcome.kind === 'filtered')
    return { done: true, response: protocol.toResult({ filtered: [FILTERED] }) };
  if (outcome.kind === 'error')
    return { done: true, error: { code: outcome.code, message: outcome.message } };
  const videos = outcome.paths.map((path, sample) =>
    protocol.toVideo(operation, sample, new VideoFile(path, operation.spec.testPrompts), generator),
  );
  return { done: true, response: protocol.toResult(videos.length === 0 ? {} : { videos }) };
};

const sendOperation = async (protocol: GoogleProtocol, exchange: Exchange, id: string) => {
  const { generator } = exchange;
  const operation = await generator.operations.find(id);
  if (operation === undefined || operation.spec.model !== exchange.groups.model) throw new UpstreamError(404);
  await injectFault(exchange, 'poll', id, operation.spec.testPrompts);
  const state = toState(protocol, operation, generator);
  await sendWithVideos(exchange.response, { name: protocol.operationName(operation), ...state });
};

export const getOperation =
  (protocol: GoogleProtocol): Handler =>
  (exchange) =>
    sendOperation(protocol, exchange, exchange.groups.operation ?? '');

const operationBody = z.object({ operationName: z.string() });

export const fetchPredictOperation =
  (protocol: GoogleProtocol): Handler =>
  async (exchange) => {
    const parsed = operationBody.safeParse(parseJson(await readBody(exchange.request)));
    if (!parsed.success) throw invalid('Invalid value at `operationName`.');
    const { operationName } = parsed.data;
    const [, id = ''] = /\/operations\/([a-z0-9]{11})$/.exec(operationName) ?? [];
    const operation = await exchange.generator.operations.find(id);
    if (operation === undefined || protocol.operationName(operation) !== operationName)
      throw new UpstreamError(404);
    await sendOperation(protocol, exchange, id);
  };
