import * as z from 'zod';
import {
  admitRequest,
  type Exchange,
  type Generator,
  type Handler,
  injectFault,
  sendJson,
} from '../exchange.ts';
import { type Operation, readOutcome } from '../operations.ts';
import { VideoFile } from '../padded-media.ts';
import { parseJson, readBody, readJson } from '../request-body.ts';
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
  const state = toState(protocol, operation, generator);
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
