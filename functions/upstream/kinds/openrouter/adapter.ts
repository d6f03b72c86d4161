import { imageClient } from '../../adapters/image-format.ts';
import { type ModelName, probesInList } from '../../adapters/probe.ts';
import { dataUrl } from '../../adapters/request-bodies.ts';
import { type BearerOptions, connectBearer } from '../../adapters/upstream-connection.ts';
import { videoClient } from '../../adapters/video-format.ts';
import { readJob } from '../../adapters/video-jobs.ts';
import { UpstreamError } from '../../domain/faults.ts';
import type { GenerationRequest, LoadedInput } from '../../domain/video-generator.ts';
import { readChatAnswer, toChatRequest } from './chat-format.ts';

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
  resolution: resolution === '4k' ? '4K' : resolution,
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

type Options = BearerOptions & { readonly modelName: ModelName };

/** The base URL includes the version, as in `https://openrouter.ai/api/v1`. */
export const openRouterClient = ({ modelName, ...options }: Options) => {
  const server = connectBearer(options);
  const { call, url, download, storedAddress } = server;

  /** The address of a video as it is stored: relative, so that the key is sent to no other host. */
  const videoAddress = (id: string, given?: string): string => {
    const address = given === undefined ? null : URL.parse(given, options.baseUrl);
    const stored = address === null ? '' : storedAddress(address.href);
    return stored.startsWith('/') ? stored : storedAddress(url(`videos/${id}/content?index=0`).href);
  };

  return {
    // Without the parameter, the list has only models that answer with text.
    ...probesInList(server, (medium) =>
      medium === 'video' ? 'videos/models' : 'models?output_modalities=image',
    ),
    verify: (timeoutMs: number) => call('key', { timeoutMs }),
    videos: videoClient(server, {
      operationName: JOB_ID,
      nameFields: ['id'],
      submit: (request, inputs) => ({
        path: 'videos',
        body: toVideoRequest(modelName(request.model), request, inputs),
      }),
      check: async (id, timeoutMs) => {
        const job = readJob(await call(`videos/${id}`, { timeoutMs }));
        if (job.state !== 'done') return job;
        const source = { kind: 'address', uri: videoAddress(id, job.address) } as const;
        return { state: 'done', source, cost: job.cost };
      },
      open: (id, source, timeoutMs) =>
        download(source.kind === 'address' ? source.uri : videoAddress(id), timeoutMs),
    }),
  };
};

export const openRouterImages = ({ modelName, ...options }: Options) =>
  imageClient(connectBearer(options), {
    send: (request) => ({
      path: 'chat/completions',
      body: toChatRequest(modelName(request.model), request),
    }),
    read: readChatAnswer,
  });
