import type { ImageGenerator } from '../domain/image-request.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, type ProbedClient, probeByName } from './probe.ts';
import { type Call, connectServer, keyAuthorization, type LimitedCall } from './upstream-connection.ts';
import { storedAddress, trustedUrl } from './upstream-http.ts';
import {
  CALL_TIMEOUTS_MS,
  MAX_STARTED_BYTES,
  openInlineVideo,
  readOperationState,
  readStarted,
  toVideoRequest,
} from './video-format.ts';

export type GeminiOptions = {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly credential: Credential;
  readonly modelName: ModelName;
  readonly fetch: typeof fetch;
};

/** Every failure is an UpstreamError. */
export type GeminiClient = ProbedClient & {
  /** One JSON call. */
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  /** One call whose response is read as it arrives. */
  readonly stream: (path: string, call: Call) => Promise<AsyncIterable<Uint8Array>>;
  readonly modelName: ModelName;
  /** The form in which a file's address is stored: relative if it is the upstream's own, in case its host changes. */
  readonly storedAddress: (uri: string) => string;
  /** Downloads a file that the upstream named; follows redirects. */
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
};

export const geminiClient = ({
  baseUrl,
  keyHeader,
  credential,
  modelName,
  fetch,
}: GeminiOptions): GeminiClient => {
  const authorization = keyAuthorization(credential, keyHeader);
  const { base, connection, url, call } = connectServer(baseUrl, authorization, fetch);

  return {
    modelName,
    call,
    stream: (path, call) => connection.stream(url(path), call),

    storedAddress: (uri) => storedAddress(uri, base),

    download: async (uri, timeoutMs) => connection.download(trustedUrl(uri, base, base), timeoutMs),

    verify: async (timeoutMs) => {
      await connection.call(url('v1beta/models?pageSize=1'), { timeoutMs, maxBytes: MAX_LIST_BYTES });
    },

    probe: (model, timeoutMs) => probeByName(connection, url(`v1beta/models/${model}`), timeoutMs),
  };
};

const OPERATION_NAME = /^[\w./-]+$/;

export const geminiVideos = (
  { call, stream, modelName, storedAddress, download }: GeminiClient,
  fileTimeoutMs: number,
  timeoutsMs = CALL_TIMEOUTS_MS,
): VideoGenerator => {
  const readOperation = (operation: string, timeoutMs: number): Promise<AsyncIterable<Uint8Array>> =>
    stream(`v1beta/${operation}`, { timeoutMs });

  return {
    submit: async (request, inputs) => {
      const answer = await call(`v1beta/models/${modelName(request.model)}:predictLongRunning`, {
        body: toVideoRequest(request, inputs),
        namesModel: true,
        timeoutMs: timeoutsMs.submit,
        maxBytes: MAX_STARTED_BYTES,
      });
      return readStarted(answer, OPERATION_NAME);
    },

    check: async (operation) =>
      readOperationState(await readOperation(operation, timeoutsMs.check), storedAddress),

    open: async (operation, source) =>
      source.kind === 'address'
        ? download(source.uri, fileTimeoutMs)
        : openInlineVideo(await readOperation(operation, fileTimeoutMs)),
  };
};

export const geminiImages = ({ call, modelName }: GeminiClient): ImageGenerator => ({
  generate: async (request, { timeoutMs }) =>
    readAnswer(
      await call(`v1beta/models/${modelName(request.model)}:generateContent`, {
        body: toImageRequest(request),
        namesModel: true,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    ),
});
