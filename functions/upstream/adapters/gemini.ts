import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, probeByName, type UpstreamClient } from './upstream-client.ts';
import { connectServer, keyAuthorization } from './upstream-connection.ts';
import {
  CALL_TIMEOUTS_MS,
  MAX_STARTED_BYTES,
  openInlineVideo,
  readOperationState,
  readStarted,
  toVideoRequest,
} from './video-format.ts';

type ServerOptions = {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly credential: Credential;
  readonly fetch: typeof fetch;
};

export const geminiServer = ({ baseUrl, keyHeader, credential, fetch }: ServerOptions) => {
  const server = connectServer({ baseUrl, authorization: keyAuthorization(credential, keyHeader), fetch });
  return {
    ...server,
    verify: async (timeoutMs: number): Promise<void> => {
      await server.call('v1beta/models?pageSize=1', { timeoutMs, maxBytes: MAX_LIST_BYTES });
    },
    probe: (model: string, timeoutMs: number) => probeByName(server, `v1beta/models/${model}`, timeoutMs),
  };
};

const OPERATION_NAME = /^[\w./-]+$/;

export const geminiClient = (options: ServerOptions & { readonly modelName: ModelName }): UpstreamClient => {
  const { call, stream, storedAddress, download, verify, probe } = geminiServer(options);
  const modelPath = (model: string): string => `v1beta/models/${options.modelName(model)}`;
  const readOperation = (operation: string, timeoutMs: number): Promise<AsyncIterable<Uint8Array>> =>
    stream(`v1beta/${operation}`, { timeoutMs });

  return {
    verify,
    probe,

    videos: (fileTimeoutMs, timeoutsMs = CALL_TIMEOUTS_MS) => ({
      submit: async (request, inputs) => {
        const answer = await call(`${modelPath(request.model)}:predictLongRunning`, {
          body: toVideoRequest(request, inputs),
          namesModel: true,
          timeoutMs: timeoutsMs.submit,
          maxBytes: MAX_STARTED_BYTES,
        });
        return readStarted(answer, OPERATION_NAME, 'name');
      },

      check: async (operation) =>
        readOperationState(await readOperation(operation, timeoutsMs.check), storedAddress),

      open: async (operation, source) =>
        source.kind === 'address'
          ? download(source.uri, fileTimeoutMs)
          : openInlineVideo(await readOperation(operation, fileTimeoutMs)),
    }),

    images: {
      generate: async (request, { timeoutMs }) =>
        readAnswer(
          await call(`${modelPath(request.model)}:generateContent`, {
            body: toImageRequest(request),
            namesModel: true,
            timeoutMs,
            maxBytes: MAX_ANSWER_BYTES,
          }),
        ),
    },
  };
};
