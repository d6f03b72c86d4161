import { type Exchange, type Generator, type Handler, injectFault, sendJson } from '../exchange.ts';
import { findRetirement } from '../models.ts';
import { INVALID_ARGUMENT, type Operation, type Outcome, readOutcome } from '../operations.ts';
import { VideoFile } from '../padded-media.ts';
import type { StoredPicture } from '../pictures.ts';
import { readJson } from '../request-body.ts';
import { path, type Route } from '../routes.ts';
import { shortened, UpstreamError } from '../upstream-error.ts';
import { startVideo } from '../videos.ts';
import { sendWithVideos } from './inline-videos.ts';
import { readInteractionRequest } from './interaction-request.ts';

/** The Interactions API, which the Gemini API and Vertex AI share. */

export type InteractionProtocol = {
  /** The path of all interactions, as a pattern. */
  readonly base: string;
  /** The address under which a video is delivered. */
  readonly toUri: (operation: Operation, generator: Generator) => string;
};

const PREFIX = 'v1_';
const OMNI = /^(?:models\/)?gemini-omni-[\w.-]{1,60}$/;

const requireOmni = (generator: Generator, model: string): void => {
  if (OMNI.test(model) && findRetirement(generator, model) === undefined) return;
  throw new UpstreamError(404, `Model '${shortened(model)}' was not found or is not supported.`);
};

const REFUSAL =
  'I cannot make this video. This is a sample of a refusal; you have not been charged for this attempt.';

const output = (...content: readonly object[]) => ({ type: 'model_output', content });

const finishedState = (outcome: Outcome, uri: string) => {
  if (outcome.kind === 'error') {
    const code = outcome.code === INVALID_ARGUMENT ? 'invalid_request' : 'internal';
    return { status: 'failed', error: { code, message: outcome.message } };
  }
  if (outcome.kind === 'filtered')
    return { status: 'completed', steps: [output({ type: 'text', text: REFUSAL })] };
  if (outcome.paths.length === 0) return { status: 'completed', steps: [output()] };
  const thought = { type: 'thought', signature: 'c2FtcGxl'.repeat(100) };
  return { status: 'completed', steps: [thought, output({ type: 'video', mime_type: 'video/mp4', uri })] };
};

/** Interactions contain the request with its images. */
const inputStep = ({ spec }: Operation, { pictures }: Generator) => {
  const toContent = (picture: StoredPicture) => ({
    type: 'image',
    mime_type: `image/${picture.kind}`,
    data: new VideoFile(pictures.open(picture).path, {}),
  });
  const images = [spec.first ?? [], spec.last ?? [], spec.references].flat();
  return { type: 'user_input', content: [...images.map(toContent), { type: 'text', text: spec.prompt }] };
};

export const interactionRoutes = (protocol: InteractionProtocol): readonly Route[] => {
  const ended = new Map<string, 'cancelled' | 'deleted'>();

  const describe = (operation: Operation) => {
    const created = new Date(operation.createdAt).toISOString();
    return {
      id: `${PREFIX}${operation.id}`,
      object: 'interaction',
      model: operation.spec.model,
      created,
      updated: created,
      service_tier: 'standard',
    };
  };

  const find = async ({ groups, generator }: Exchange): Promise<Operation> => {
    const operation = await generator.operations.find(groups.id ?? '');
    if (operation !== undefined && ended.get(operation.id) !== 'deleted') return operation;
    throw new UpstreamError(400, 'Invalid interaction name.');
  };

  const create: Handler = async (exchange) => {
    const { body, digest } = await readJson(exchange);
    const { model, request } = readInteractionRequest(body);
    requireOmni(exchange.generator, model);
    const operation = await startVideo(exchange, { model, request, digest });
    sendJson(exchange.response, { ...describe(operation), status: 'in_progress' });
  };

  const send: Handler = async (exchange) => {
    const { generator } = exchange;
    const operation = await find(exchange);
    await injectFault(exchange, 'poll', operation.id, operation.spec.testPrompts);
    const outcome = readOutcome(operation, generator.operations);
    const { steps = [], ...state } = {
      steps: [],
      ...(ended.has(operation.id)
        ? { status: 'cancelled' }
        : outcome === undefined
          ? { status: 'in_progress' }
          : finishedState(outcome, protocol.toUri(operation, generator))),
    };
    await sendWithVideos(exchange.response, {
      ...describe(operation),
      ...state,
      steps: [inputStep(operation, generator), ...steps],
    });
  };

  const cancel: Handler = async (exchange) => {
    const operation = await find(exchange);
    ended.set(operation.id, 'cancelled');
    sendJson(exchange.response, { ...describe(operation), status: 'cancelled' });
  };

  const remove: Handler = async (exchange) => {
    ended.set((await find(exchange)).id, 'deleted');
    exchange.response.writeHead(200, { 'content-length': 0 }).end();
  };

  const one = `${protocol.base}/${PREFIX}(?<id>[a-z0-9]{11})`;
  return [
    { method: 'POST', path: path(protocol.base), handle: create },
    { method: 'GET', path: path(one), handle: send },
    { method: 'POST', path: path(`${one}/cancel`), handle: cancel },
    { method: 'DELETE', path: path(one), handle: remove },
  ];
};
