import type { ImageGenerator } from '../domain/image-request.ts';
import type { OptionStyle } from '../domain/upstreams.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import { MAX_ANSWER_BYTES } from './image-format.ts';
import { readImages, toImagesCall } from './images-api.ts';
import { listModels, type ModelName, probeInList } from './probe.ts';
import { type BearerOptions, connectBearer } from './upstream-connection.ts';
import { CALL_TIMEOUTS_MS, readStarted, requireOperation } from './video-format.ts';
import { MAX_JOB_BYTES, readJob } from './video-jobs.ts';
import { toVideoForm } from './videos-api.ts';

/** Any server of the OpenAI API; its base URL has no version. */
export const openAiServer = (options: BearerOptions) => {
  const server = connectBearer(options);
  return {
    ...server,
    // A server without a list says nothing about the key.
    verify: async (timeoutMs: number): Promise<void> => {
      await listModels(server, 'v1/models', timeoutMs);
    },
    probe: (model: string, timeoutMs: number) => probeInList(server, 'v1/models', model, timeoutMs),
  };
};

type ClientOptions = BearerOptions & { readonly modelName: ModelName };

/** Ids are opaque; one that begins with a dot could leave the folder. */
const JOB_ID = /^[\w-][\x21-\x7e]{0,1023}$/;

const jobPath = (operation: string): string =>
  `v1/videos/${encodeURIComponent(requireOperation(operation, JOB_ID))}`;

/** `options` tells where the server reads the options that the Videos API does not have. */
export const openAiVideos = (given: ClientOptions & { readonly options: OptionStyle }) => {
  const { connection, call, url } = openAiServer(given);
  return (fileTimeoutMs: number, timeoutsMs = CALL_TIMEOUTS_MS): VideoGenerator => ({
    submit: async (request, inputs, idempotencyKey) => {
      const answer = await call('v1/videos', {
        body: toVideoForm(given.modelName(request.model), given.options, request, inputs),
        headers: { 'idempotency-key': idempotencyKey },
        namesModel: true,
        timeoutMs: timeoutsMs.submit,
        maxBytes: MAX_JOB_BYTES,
      });
      return readStarted(answer, JOB_ID, 'id', 'task_id');
    },

    check: async (operation) => {
      const path = jobPath(operation);
      const job = readJob(await call(path, { timeoutMs: timeoutsMs.check, maxBytes: MAX_JOB_BYTES }));
      if (job.state !== 'done') return job;
      return { state: 'done', source: { kind: 'address', uri: url(`${path}/content`).pathname } };
    },

    // Found by the operation, so that the address of the server may change in the meantime.
    open: async (operation) => connection.download(url(`${jobPath(operation)}/content`), fileTimeoutMs),
  });
};

export const openAiImages = (given: ClientOptions): ImageGenerator => ({
  generate: async (request, { timeoutMs }) => {
    const { path, body } = toImagesCall(given.modelName(request.model), request);
    const call = { body, namesModel: true, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
    return readImages(await openAiServer(given).call(path, call));
  },
});
