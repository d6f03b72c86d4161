import type { ImageGenerator } from '../domain/image-request.ts';
import type { OptionStyle } from '../domain/upstreams.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES } from './image-format.ts';
import { readImages, toImagesCall } from './images-api.ts';
import { listModels, type ModelName, type ProbedClient, probeInList } from './probe.ts';
import { bearerAuthorization, connectServer, type LimitedCall } from './upstream-connection.ts';
import { CALL_TIMEOUTS_MS } from './video-format.ts';
import { MAX_JOB_BYTES, readJob, readJobId, requireJobId } from './video-jobs.ts';
import { toVideoForm } from './videos-api.ts';

export type OpenAiOptions = {
  /** Without the version. */
  readonly baseUrl: string;
  /** Where the server reads the options that the Videos API does not have. */
  readonly options: OptionStyle;
  readonly credential: Credential;
  readonly modelName: ModelName;
  readonly fetch: typeof fetch;
};

/** Every failure is an UpstreamError. */
export type OpenAiClient = ProbedClient & {
  readonly options: OptionStyle;
  readonly modelName: ModelName;
  /** One call that is answered with JSON. */
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  /** The path of a file from the root of the server. */
  readonly pathFromRoot: (path: string) => string;
  /** Downloads a file; follows redirects. */
  readonly download: (path: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
};

/** A client of any server of the OpenAI API. */
export const openAiClient = ({
  baseUrl,
  options,
  credential,
  modelName,
  fetch,
}: OpenAiOptions): OpenAiClient => {
  const { connection, url, call } = connectServer(baseUrl, bearerAuthorization(credential), fetch);

  return {
    options,
    modelName,
    call,
    pathFromRoot: (path) => url(path).pathname,
    download: (path, timeoutMs) => connection.download(url(path), timeoutMs),

    // A server without a list says nothing about the key.
    verify: async (timeoutMs) => {
      await listModels(connection, url('v1/models'), timeoutMs);
    },

    probe: (model, timeoutMs) => probeInList(connection, url('v1/models'), model, timeoutMs),
  };
};

/** Ids are opaque; one that begins with a dot could leave the folder. */
const JOB_ID = /^[\w-][\x21-\x7e]{0,1023}$/;

const jobPath = (operation: string): string =>
  `v1/videos/${encodeURIComponent(requireJobId(operation, JOB_ID))}`;

export const openAiVideos = (
  { call, options, modelName, pathFromRoot, download }: OpenAiClient,
  fileTimeoutMs: number,
  timeoutsMs = CALL_TIMEOUTS_MS,
): VideoGenerator => ({
  submit: async (request, inputs, idempotencyKey) => {
    const answer = await call('v1/videos', {
      body: toVideoForm(modelName(request.model), options, request, inputs),
      headers: { 'idempotency-key': idempotencyKey },
      namesModel: true,
      timeoutMs: timeoutsMs.submit,
      maxBytes: MAX_JOB_BYTES,
    });
    return readJobId(answer, JOB_ID);
  },

  check: async (operation) => {
    const path = jobPath(operation);
    const job = readJob(await call(path, { timeoutMs: timeoutsMs.check, maxBytes: MAX_JOB_BYTES }));
    if (job.state !== 'done') return job;
    return { state: 'done', source: { kind: 'address', uri: pathFromRoot(`${path}/content`) } };
  },

  // Found by the operation, so that the address of the server may change in the meantime.
  open: async (operation) => download(`${jobPath(operation)}/content`, fileTimeoutMs),
});

export const openAiImages = ({ call, modelName }: OpenAiClient): ImageGenerator => ({
  generate: async (request, { timeoutMs }) => {
    const { path, body } = toImagesCall(modelName(request.model), request);
    const answer = await call(path, { body, namesModel: true, timeoutMs, maxBytes: MAX_ANSWER_BYTES });
    return readImages(answer);
  },
});
