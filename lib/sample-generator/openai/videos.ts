import { type Exchange, type Generator, type Handler, injectFault, sendJson } from '../exchange.ts';
import { isInFamily, isRetired } from '../models.ts';
import { estimateProgress, fileId, INVALID_ARGUMENT, type Operation, readOutcome } from '../operations.ts';
import { readForm } from '../request-body.ts';
import { invalid, shortened, UpstreamError } from '../upstream-error.ts';
import { findSample, foreignAddress, sendContent } from '../video-files.ts';
import { admitVideo } from '../videos.ts';
import { type OptionStyle, readVideoModel, readVideoRequest } from './video-request.ts';

export const unknownModel = (model: string) =>
  new UpstreamError(
    404,
    `The model \`${shortened(model)}\` does not exist or you do not have access to it.`,
    { reason: 'model_not_found' },
  );

/** Starts one operation per `Idempotency-Key`. */
const rememberedStarts = () => {
  const starts = new Map<string, { readonly digest: string; readonly operation: Promise<Operation> }>();
  return (key: string, digest: string, start: () => Promise<Operation>): Promise<Operation> => {
    const known = starts.get(key);
    if (known === undefined) {
      const operation = start();
      starts.set(key, { digest, operation });
      return operation;
    }
    if (known.digest === digest) return known.operation;
    throw new UpstreamError(409, 'The Idempotency-Key was used for another request.', {
      reason: 'idempotency_key_reused',
    });
  };
};

/** Only another deployment of this service starts one video per `Idempotency-Key`; other servers ignore the header. */
export const createVideo = (style: OptionStyle): Handler => {
  const startOnce = rememberedStarts();
  return async (exchange) => {
    const { generator } = exchange;
    const { form, digest } = await readForm(exchange);
    const model = readVideoModel(form);
    if (!isInFamily('video', model) || isRetired(generator, model)) throw unknownModel(model);
    const request = readVideoRequest(form, style);
    const spec = await admitVideo(exchange, { model, request, digest });
    const start = () => generator.operations.start(spec);
    const key = exchange.request.headers['idempotency-key'];
    const operation = await (style === 'media-generation' && typeof key === 'string'
      ? startOnce(key, digest, start)
      : start());
    sendJson(exchange.response, toVideo(operation, generator));
  };
};

const RETENTION_MILLISECONDS = 2 * 24 * 3600 * 1000;

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

type Failure = { readonly code: string; readonly message: string };

const FILTERED = {
  code: 'moderation_blocked',
  message: 'The request was blocked by our moderation system. This is a sample of a filtered answer.',
};

/** Servers differ in the form of `error`, which test prompts can choose. */
const encodeFailure = (failure: Failure, { spec }: Operation) => {
  const { errorAs } = spec.testPrompts;
  if (errorAs === 'null') return null;
  return errorAs === 'text' ? failure.message : failure;
};

const toState = (operation: Operation, { operations }: Generator) => {
  const outcome = readOutcome(operation, operations);
  if (outcome === undefined) {
    const progress = Math.min(99, Math.floor(100 * estimateProgress(operation)));
    const status = operation.spec.testPrompts.runningStatus ?? (progress < 50 ? 'queued' : 'in_progress');
    return { status, progress };
  }
  if (outcome.kind === 'videos')
    return {
      status: 'completed',
      progress: 100,
      completed_at: inSeconds(operation.readyAt),
      expires_at: inSeconds(operation.createdAt + RETENTION_MILLISECONDS),
    };
  const code =
    'code' in outcome && outcome.code === INVALID_ARGUMENT ? 'invalid_request_error' : 'server_error';
  const failure = outcome.kind === 'filtered' ? FILTERED : { code, message: outcome.message };
  return { status: 'failed', progress: 99, error: encodeFailure(failure, operation) };
};

const toVideo = (operation: Operation, generator: Generator) => {
  const { model, prompt, width, height, seconds } = operation.spec;
  return {
    id: operation.id,
    object: 'video',
    model,
    created_at: inSeconds(operation.createdAt),
    completed_at: null,
    expires_at: null,
    seconds: `${seconds}`,
    size: `${width}x${height}`,
    prompt,
    remixed_from_video_id: null,
    error: null,
    ...toState(operation, generator),
  };
};

const requireOperation = async ({ groups, generator }: Exchange): Promise<Operation> => {
  const { id = '' } = groups;
  const operation = await generator.operations.find(id);
  if (operation === undefined) throw new UpstreamError(404, `Video with id '${id}' not found.`);
  return operation;
};

export const getVideo: Handler = async (exchange) => {
  const operation = await requireOperation(exchange);
  await injectFault(exchange, 'poll', operation.id, operation.spec.testPrompts);
  sendJson(exchange.response, toVideo(operation, exchange.generator));
};

const requireSample = async (exchange: Exchange) => {
  const { generator } = exchange;
  const operation = await requireOperation(exchange);
  const { status } = toState(operation, generator);
  if (status !== 'completed' && status !== 'failed')
    throw invalid('Video is not ready yet, use GET /v1/videos/{video_id} to check status.');
  const found = await findSample(generator, operation.id, 0);
  if (found === undefined) throw new UpstreamError(404, 'The video has no content.');
  return { ...found, id: fileId(operation, 0) };
};

/** The address of the content redirects to the file itself. */
export const redirectToVideo: Handler = async (exchange) => {
  const { id, testPrompts } = await requireSample(exchange);
  const { response, groups, generator } = exchange;
  await injectFault(exchange, 'file', id, testPrompts);
  const location =
    testPrompts.foreignRedirect === true
      ? foreignAddress(generator, id)
      : `${generator.addresses().own}/download/videos/${groups.id}`;
  response.writeHead(302, { location }).end();
};

export const sendVideo: Handler = async (exchange) => {
  const found = await requireSample(exchange);
  await sendContent(exchange, found.id, found);
};
