import type { ImageGenerator } from '../../images/domain/image-request.ts';
import type { VideoGenerator } from '../../videos/domain/media.ts';
import { UpstreamError } from '../domain/upstream.ts';
import type { Credential } from './credentials.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';
import {
  type Authorization,
  type Call,
  type LimitedCall,
  upstreamConnection,
} from './upstream-connection.ts';
import { trustedUrl } from './upstream-http.ts';
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
  /** Maps our model names to the upstream's where they differ. */
  readonly models: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
};

/** Every failure is an UpstreamError. */
export type GeminiClient = {
  /** One JSON call. */
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  /** One call whose response is read as it arrives. */
  readonly stream: (path: string, call: Call) => Promise<AsyncIterable<Uint8Array>>;
  readonly modelName: (model: string) => string;
  /** The form in which a file's address is stored: relative if it is the upstream's own, in case its host changes. */
  readonly storedAddress: (uri: string) => string;
  /** Downloads a file that the upstream named; follows redirects. */
  readonly download: (uri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
  /** A call without charge that fails if the key does not work. */
  readonly verify: (timeoutMs: number) => Promise<void>;
};

const keyAuthorization = (keyHeader: string, credential: Credential): Authorization => {
  const requireKey = (value: unknown): string => {
    if (typeof value === 'string' && value !== '') return value;
    throw new UpstreamError(
      'operator',
      `The credential of the upstream "${credential.name}" must be its API key, a text.`,
    );
  };
  return {
    header: async () => [keyHeader, requireKey(await credential.read())],
    renew: async (refused) => (await credential.readAgain()) !== refused,
  };
};

const MAX_LIST_BYTES = 1_000_000;

export const geminiClient = ({
  baseUrl,
  keyHeader,
  credential,
  models,
  fetch,
}: GeminiOptions): GeminiClient => {
  const base = new URL(baseUrl);
  const connection = upstreamConnection({
    fetch,
    authorization: keyAuthorization(keyHeader, credential),
    origins: [base.origin],
  });
  const url = (path: string): URL => new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base);

  return {
    modelName: (model) => models[model] ?? model,
    call: (path, call) => connection.call(url(path), call),
    stream: (path, call) => connection.stream(url(path), call),

    storedAddress: (uri) => {
      const address = URL.parse(uri);
      // A relative address that begins with two slashes would name another host.
      if (address?.origin !== base.origin || address.pathname.startsWith('//')) return uri;
      return `${address.pathname}${address.search}`;
    },

    download: async (uri, timeoutMs) => connection.download(trustedUrl(uri, base, base), timeoutMs),

    verify: async (timeoutMs) => {
      await connection.call(url('v1beta/models?pageSize=1'), { timeoutMs, maxBytes: MAX_LIST_BYTES });
    },
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
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    ),
});
