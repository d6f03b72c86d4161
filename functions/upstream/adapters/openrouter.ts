import type { Resolution } from '../../catalogue/domain/models.ts';
import { UpstreamError } from '../domain/faults.ts';
import type { ImageGenerator } from '../domain/image-request.ts';
import type { GenerationRequest, LoadedInput, VideoGenerator } from '../domain/video-generator.ts';
import { readChatAnswer, toChatRequest } from './chat-format.ts';
import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, type ProbedClient, probeInList } from './probe.ts';
import { dataUrl } from './request-bodies.ts';
import { bearerAuthorization, connectServer, type LimitedCall } from './upstream-connection.ts';
import { storedAddress, trustedUrl } from './upstream-http.ts';
import { CALL_TIMEOUTS_MS } from './video-format.ts';
import { MAX_JOB_BYTES, readJob, readJobId, requireJobId } from './video-jobs.ts';

export type OpenRouterOptions = {
  /** Includes the version, as in `https://openrouter.ai/api/v1`. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly modelName: ModelName;
  readonly fetch: typeof fetch;
};

/** Every failure is an UpstreamError. */
export type OpenRouterClient = ProbedClient & {
  readonly modelName: ModelName;
  /** One JSON call. */
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  /** The address of a video in the form in which it is stored: relative, so that the key is sent to no other host. */
  readonly videoAddress: (id: string, given: string | undefined) => string;
  /** Downloads a video from its stored address; follows redirects. */
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
};

export const openRouterClient = ({
  baseUrl,
  credential,
  modelName,
  fetch,
}: OpenRouterOptions): OpenRouterClient => {
  const { base, connection, url, call } = connectServer(baseUrl, bearerAuthorization(credential), fetch);

  return {
    modelName,
    call,

    videoAddress: (id, given) => {
      const address = given === undefined ? null : URL.parse(given, base.href);
      const stored = address === null ? '' : storedAddress(address.href, base);
      return stored.startsWith('/') ? stored : storedAddress(url(`videos/${id}/content?index=0`).href, base);
    },

    download: async (uri, timeoutMs) => connection.download(trustedUrl(uri, base, base), timeoutMs),

    verify: async (timeoutMs) => {
      await connection.call(url('key'), { timeoutMs, maxBytes: MAX_LIST_BYTES });
    },

    // Without the parameter, the list has only models that answer with text.
    probe: (model, timeoutMs, medium) =>
      probeInList(
        connection,
        url(medium === 'video' ? 'videos/models' : 'models?output_modalities=image'),
        model,
        timeoutMs,
      ),
  };
};

const THEIR_RESOLUTIONS: Readonly<Record<Resolution, string>> = {
  '360p': '360p',
  '720p': '720p',
  '1080p': '1080p',
  '4k': '4K',
};

const toFrame = (input: LoadedInput) => {
  if (input.role === 'reference')
    throw new UpstreamError('operator', 'OpenRouter does not document how it uses reference images.');
  return { type: 'image_url', image_url: { url: dataUrl(input) }, frame_type: input.role };
};

const toVideoRequest = (
  model: string,
  { prompt, seconds, resolution, aspectRatio, negativePrompt, seed }: GenerationRequest,
  inputs: readonly LoadedInput[],
) => ({
  model,
  ...(prompt === '' ? {} : { prompt }),
  duration: seconds,
  resolution: THEIR_RESOLUTIONS[resolution],
  aspect_ratio: aspectRatio,
  // Without it, the video could be silent.
  generate_audio: true,
  seed,
  ...(inputs.length === 0 ? {} : { frame_images: inputs.map(toFrame) }),
  ...(negativePrompt === undefined
    ? {}
    : { provider: { options: { 'google-vertex': { parameters: { negativePrompt } } } } }),
});

const JOB_ID = /^[\w-]{1,128}$/;

export const openRouterVideos = (
  { call, modelName, videoAddress, download }: OpenRouterClient,
  fileTimeoutMs: number,
  timeoutsMs = CALL_TIMEOUTS_MS,
): VideoGenerator => ({
  submit: async (request, inputs) => {
    const answer = await call('videos', {
      body: toVideoRequest(modelName(request.model), request, inputs),
      namesModel: true,
      timeoutMs: timeoutsMs.submit,
      maxBytes: MAX_JOB_BYTES,
    });
    return readJobId(answer, JOB_ID);
  },

  check: async (operation) => {
    const id = requireJobId(operation, JOB_ID);
    const answer = await call(`videos/${id}`, { timeoutMs: timeoutsMs.check, maxBytes: MAX_JOB_BYTES });
    const job = readJob(answer);
    if (job.state !== 'done') return job;
    const source = { kind: 'address', uri: videoAddress(id, job.address) } as const;
    return { state: 'done', source, cost: job.cost };
  },

  open: async (operation, source) => {
    const id = requireJobId(operation, JOB_ID);
    return download(source.kind === 'address' ? source.uri : videoAddress(id, undefined), fileTimeoutMs);
  },
});

export const openRouterImages = ({ call, modelName }: OpenRouterClient): ImageGenerator => ({
  generate: async (request, { timeoutMs }) =>
    readChatAnswer(
      request,
      await call('chat/completions', {
        body: toChatRequest(modelName(request.model), request),
        namesModel: true,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    ),
});
