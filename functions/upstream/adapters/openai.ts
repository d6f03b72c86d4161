import type { OptionStyle } from '../domain/upstreams.ts';
import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES } from './image-format.ts';
import { readImages, toImagesCall } from './images-api.ts';
import { listModels, type ModelName, probeInList, type UpstreamClient } from './upstream-client.ts';
import { bearerAuthorization, connectServer } from './upstream-connection.ts';
import { CALL_TIMEOUTS_MS, readStarted, requireOperation } from './video-format.ts';
import { MAX_JOB_BYTES, readJob } from './video-jobs.ts';
import { toVideoForm } from './videos-api.ts';

type OpenAiOptions = {
  /** Without the version. */
  readonly baseUrl: string;
  /** Where the server reads the options that the Videos API does not have. */
  readonly options: OptionStyle;
  readonly credential: Credential;
  readonly modelName: ModelName;
  readonly fetch: typeof fetch;
};

/** Ids are opaque; one that begins with a dot could leave the folder. */
const JOB_ID = /^[\w-][\x21-\x7e]{0,1023}$/;

const jobPath = (operation: string): string =>
  `v1/videos/${encodeURIComponent(requireOperation(operation, JOB_ID))}`;

/** A client of any server of the OpenAI API. */
export const openAiClient = ({
  baseUrl,
  options,
  credential,
  modelName,
  fetch,
}: OpenAiOptions): UpstreamClient => {
  const server = connectServer({ baseUrl, authorization: bearerAuthorization(credential), fetch });
  const { connection, call, url } = server;

  return {
    // A server without a list says nothing about the key.
    verify: async (timeoutMs) => {
      await listModels(server, 'v1/models', timeoutMs);
    },

    probe: (model, timeoutMs) => probeInList(server, 'v1/models', model, timeoutMs),

    videos: (fileTimeoutMs, timeoutsMs = CALL_TIMEOUTS_MS) => ({
      submit: async (request, inputs, idempotencyKey) => {
        const answer = await call('v1/videos', {
          body: toVideoForm(modelName(request.model), options, request, inputs),
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
    }),

    images: {
      generate: async (request, { timeoutMs }) => {
        const { path, body } = toImagesCall(modelName(request.model), request);
        const answer = await call(path, { body, namesModel: true, timeoutMs, maxBytes: MAX_ANSWER_BYTES });
        return readImages(answer);
      },
    },
  };
};
