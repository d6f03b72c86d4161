import type { Resolution } from '../../catalogue/domain/models.ts';
import { UpstreamError } from '../domain/faults.ts';
import type { ImageGenerator } from '../domain/image-request.ts';
import type { GenerationRequest, LoadedInput, VideoGenerator } from '../domain/video-generator.ts';
import { readChatAnswer, toChatRequest } from './chat-format.ts';
import { MAX_ANSWER_BYTES } from './image-format.ts';
import { MAX_LIST_BYTES, type Medium, type ModelName, probeInList } from './probe.ts';
import { dataUrl } from './request-bodies.ts';
import { type BearerOptions, connectBearer } from './upstream-connection.ts';
import { CALL_TIMEOUTS_MS, readStarted, requireOperation } from './video-format.ts';
import { MAX_JOB_BYTES, readJob } from './video-jobs.ts';

/** The base URL includes the version, as in `https://openrouter.ai/api/v1`. */
export const openRouterServer = (options: BearerOptions) => {
  const server = connectBearer(options);
  return {
    ...server,
    verify: async (timeoutMs: number): Promise<void> => {
      await server.call('key', { timeoutMs, maxBytes: MAX_LIST_BYTES });
    },
    // Without the parameter, the list has only models that answer with text.
    probe: (model: string, timeoutMs: number, medium: Medium) => {
      const list = medium === 'video' ? 'videos/models' : 'models?output_modalities=image';
      return probeInList(server, list, model, timeoutMs);
    },
  };
};

type ClientOptions = BearerOptions & { readonly modelName: ModelName };

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

export const openRouterVideos = (options: ClientOptions) => {
  const { call, url, download, storedAddress } = openRouterServer(options);

  /** The address of a video as it is stored: relative, so that the key is sent to no other host. */
  const videoAddress = (id: string, given?: string): string => {
    const address = given === undefined ? null : URL.parse(given, options.baseUrl);
    const stored = address === null ? '' : storedAddress(address.href);
    return stored.startsWith('/') ? stored : storedAddress(url(`videos/${id}/content?index=0`).href);
  };

  return (fileTimeoutMs: number, timeoutsMs = CALL_TIMEOUTS_MS): VideoGenerator => ({
    submit: async (request, inputs) => {
      const answer = await call('videos', {
        body: toVideoRequest(options.modelName(request.model), request, inputs),
        namesModel: true,
        timeoutMs: timeoutsMs.submit,
        maxBytes: MAX_JOB_BYTES,
      });
      return readStarted(answer, JOB_ID, 'id');
    },

    check: async (operation) => {
      const id = requireOperation(operation, JOB_ID);
      const answer = await call(`videos/${id}`, { timeoutMs: timeoutsMs.check, maxBytes: MAX_JOB_BYTES });
      const job = readJob(answer);
      if (job.state !== 'done') return job;
      const source = { kind: 'address', uri: videoAddress(id, job.address) } as const;
      return { state: 'done', source, cost: job.cost };
    },

    open: async (operation, source) => {
      const id = requireOperation(operation, JOB_ID);
      return download(source.kind === 'address' ? source.uri : videoAddress(id), fileTimeoutMs);
    },
  });
};

export const openRouterImages = (options: ClientOptions): ImageGenerator => ({
  generate: async (request, { timeoutMs }) => {
    const body = toChatRequest(options.modelName(request.model), request);
    const call = { body, namesModel: true, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
    return readChatAnswer(request, await openRouterServer(options).call('chat/completions', call));
  },
});
