import {
  type Exchange,
  type Generator,
  type Handler,
  injectFault,
  readQuery,
  sendJson,
} from '../exchange.ts';
import type { VideoSpec } from '../media-spec.ts';
import { isRetired } from '../models.ts';
import { estimateProgress, fileId, type Operation, readOutcome } from '../operations.ts';
import { readJson } from '../request-body.ts';
import { shortened, UpstreamError } from '../upstream-error.ts';
import { findSample, foreignAddress, sendContent } from '../video-files.ts';
import { startVideo } from '../videos.ts';
import { VIDEO_MODELS } from './catalogue.ts';
import { readVideoModel, readVideoRequest } from './video-request.ts';

/** The answer for a model that it does not offer, or no longer. */
export const noEndpoints = (model: string) =>
  new UpstreamError(404, `No endpoints found for ${shortened(model)}.`);

const MAX_REQUEST_BYTES = 50 * 1024 * 1024;

const toJob = ({ id }: Operation) => ({ id, polling_url: `/api/v1/videos/${id}` });

export const createVideo: Handler = async (exchange) => {
  if (Number(exchange.request.headers['content-length']) > MAX_REQUEST_BYTES) throw new UpstreamError(413);
  const { body, digest } = await readJson(exchange);
  const model = readVideoModel(body);
  if (!Object.hasOwn(VIDEO_MODELS, model) || isRetired(exchange.generator, model)) throw noEndpoints(model);
  const operation = await startVideo(exchange, { model, request: readVideoRequest(body), digest });
  sendJson(exchange.response, { ...toJob(operation), status: 'pending' }, 202);
};

/** In US dollars: by the prices of the catalogue, for the video that was requested. */
const computeCost = ({ model, width, height, seconds, samples, isSilent }: VideoSpec): number => {
  const prices = VIDEO_MODELS[model]?.prices[Math.min(width, height)] ?? { sound: 0, silent: 0 };
  return ((isSilent === true ? prices.silent : prices.sound) * seconds * samples) / 100;
};

const FILTERED =
  'Veo could not generate 1 videos based on the prompt provided. You will not be charged for this request. Try rephrasing the prompt. If you think this was an error, send feedback. Support codes: 42237218';

const toState = (operation: Operation, { operations, addresses }: Generator): object => {
  const outcome = readOutcome(operation, operations);
  if (outcome === undefined) return { status: estimateProgress(operation) < 0.5 ? 'pending' : 'in_progress' };
  if (outcome.kind !== 'videos')
    return { status: 'failed', error: outcome.kind === 'filtered' ? FILTERED : outcome.message };
  const content = `${addresses().own}${toJob(operation).polling_url}/content`;
  return {
    status: 'completed',
    generation_id: operation.id.replace('gen-vid-', 'gen-'),
    unsigned_urls: outcome.paths.map((_, index) => `${content}?index=${index}`),
    usage: { cost: computeCost(operation.spec), is_byok: false },
  };
};

const requireOperation = async ({ groups, generator }: Exchange): Promise<Operation> => {
  const operation = await generator.operations.find(groups.id ?? '');
  if (operation === undefined) throw new UpstreamError(404, 'Video generation not found');
  return operation;
};

export const getVideo: Handler = async (exchange) => {
  const operation = await requireOperation(exchange);
  await injectFault(exchange, 'poll', operation.id, operation.spec.testPrompts);
  sendJson(exchange.response, { ...toJob(operation), ...toState(operation, exchange.generator) });
};

export const sendVideo: Handler = async (exchange) => {
  const { request, response, generator } = exchange;
  const operation = await requireOperation(exchange);
  if (generator.operations.results(operation) === undefined)
    throw new UpstreamError(409, 'Video generation is not completed');
  const index = Number(readQuery(request).get('index') ?? '0');
  const found = await findSample(generator, operation.id, index);
  if (found === undefined) throw new UpstreamError(404, 'Video content not found');
  const { testPrompts } = found;
  const subject = fileId(operation, index);
  await injectFault(exchange, 'file', subject, testPrompts);
  if (testPrompts.foreignRedirect === true)
    return void response.writeHead(302, { location: foreignAddress(generator, subject) }).end();
  await sendContent(exchange, subject, found);
};
