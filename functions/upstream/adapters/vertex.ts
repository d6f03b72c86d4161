import { UpstreamError } from '../domain/faults.ts';
import type { ImageGenerator } from '../domain/image-request.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { AccessToken } from './google-token.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, type ProbedClient, probeByName } from './probe.ts';
import { type Call, type LimitedCall, upstreamConnection } from './upstream-connection.ts';
import { withPath } from './upstream-http.ts';
import {
  CALL_TIMEOUTS_MS,
  MAX_STARTED_BYTES,
  openInlineVideo,
  readOperationState,
  readStarted,
  toVideoRequest,
} from './video-format.ts';

export type VertexOptions = {
  /** The name of the upstream, for messages. */
  readonly name: string;
  readonly project: string;
  readonly location: string;
  /** Where generated videos are stored, `gs://bucket/prefix/`; without it they are part of the response. */
  readonly storageUri?: string | undefined;
  /** Default: the default of Vertex AI. */
  readonly personGeneration?: string | undefined;
  /** Default: the address of the location. */
  readonly baseUrl?: string | undefined;
  readonly storageBaseUrl?: string | undefined;
  readonly modelName: ModelName;
  readonly token: AccessToken;
  readonly fetch: typeof fetch;
};

/** Every failure is an UpstreamError. */
export type VertexClient = ProbedClient & {
  readonly modelName: ModelName;
  readonly storageUri: string | undefined;
  readonly personGeneration: string | undefined;
  /** The path of the publisher's model for one of our models. */
  readonly modelPath: (model: string) => string;
  /** One JSON call. */
  readonly call: (path: string, call: LimitedCall) => Promise<unknown>;
  /** One call whose response is read as it arrives. */
  readonly stream: (path: string, call: Call) => Promise<AsyncIterable<Uint8Array>>;
  /** Downloads an object of Cloud Storage. */
  readonly download: (gcsUri: string, timeoutMs: number) => Promise<AsyncIterable<Uint8Array>>;
  /** Deletes an object of Cloud Storage; one that is gone already counts as deleted. */
  readonly remove: (gcsUri: string, timeoutMs: number) => Promise<void>;
};

const STORAGE = 'https://storage.googleapis.com';
const GCS_URI = /^gs:\/\/([^/]+)\/(.+)$/s;

/** Locations that are no region. */
const BASE_URLS: ReadonlyMap<string, string> = new Map([
  ['global', 'https://aiplatform.googleapis.com'],
  ['us', 'https://aiplatform.us.rep.googleapis.com'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
]);

const defaultBaseUrl = (location: string): string =>
  BASE_URLS.get(location) ?? `https://${location}-aiplatform.googleapis.com`;

const objectUrl = (storage: URL, gcsUri: string): URL => {
  const [, bucket, object] = GCS_URI.exec(gcsUri) ?? [];
  if (bucket === undefined || object === undefined)
    throw new UpstreamError(
      'rejected',
      'The generator returned a file address that is not in Cloud Storage.',
    );
  return withPath(storage, `storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(object)}`);
};

export const vertexClient = (options: VertexOptions): VertexClient => {
  const { name, project, location, storageUri, personGeneration, modelName, token, fetch } = options;
  const base = new URL(options.baseUrl ?? defaultBaseUrl(location));
  const storage = new URL(options.storageBaseUrl ?? STORAGE);
  const connection = upstreamConnection({
    fetch,
    authorization: {
      header: async () => ['authorization', `Bearer ${await token.read()}`],
      renew: (refused, httpStatus) => token.renew(refused.slice('Bearer '.length), httpStatus),
    },
    origins: [base.origin, storage.origin],
    explain: (error) =>
      error.httpStatus === 401
        ? new UpstreamError(
            'operator',
            `Vertex AI refused a new access token of the upstream "${name}"; check that its service account is enabled and that its token lifetime is not restricted.`,
            { httpStatus: 401, cause: error },
          )
        : error,
  });
  const place = `v1/projects/${project}/locations/${location}`;

  return {
    modelName,
    storageUri,
    personGeneration,
    modelPath: (model) => `${place}/publishers/google/models/${modelName(model)}`,
    call: (path, call) => connection.call(withPath(base, path), call),
    stream: (path, call) => connection.stream(withPath(base, path), call),

    download: async (gcsUri, timeoutMs) => {
      const url = objectUrl(storage, gcsUri);
      url.searchParams.set('alt', 'media');
      return connection.download(url, timeoutMs);
    },

    remove: async (gcsUri, timeoutMs) => {
      try {
        const answer = await connection.stream(objectUrl(storage, gcsUri), { method: 'DELETE', timeoutMs });
        await Array.fromAsync(answer);
      } catch (error) {
        if (!(error instanceof UpstreamError && error.httpStatus === 404)) throw error;
      }
    },

    verify: async (timeoutMs) => {
      await connection.call(withPath(base, `${place}/models?pageSize=1`), {
        timeoutMs,
        maxBytes: MAX_LIST_BYTES,
      });
    },

    probe: (model, timeoutMs) =>
      probeByName(connection, withPath(base, `v1/publishers/google/models/${model}`), timeoutMs),
  };
};

/** The path of the model, which also answers for its operations, and the id of the operation. */
const OPERATION_NAME =
  /^(projects\/[\w.:-]+\/locations\/[\w-]+\/publishers\/google\/models\/[\w.-]+)\/operations\/[\w-]+$/;

export const vertexVideos = (
  { call, stream, modelPath, storageUri, personGeneration, download, remove }: VertexClient,
  fileTimeoutMs: number,
  timeoutsMs = CALL_TIMEOUTS_MS,
): VideoGenerator => {
  /** The path comes from the operation, so that an operation is found after the settings have changed. */
  const readOperation = async (operation: string, timeoutMs: number): Promise<AsyncIterable<Uint8Array>> => {
    const model = OPERATION_NAME.exec(operation)?.[1];
    if (model === undefined) throw new UpstreamError('rejected', 'The operation is not one of Vertex AI.');
    return stream(`v1/${model}:fetchPredictOperation`, { body: { operationName: operation }, timeoutMs });
  };

  return {
    submit: async (request, inputs) => {
      const answer = await call(`${modelPath(request.model)}:predictLongRunning`, {
        // Unlike the Gemini API, Vertex AI accepts this parameter; its pages disagree on the default.
        body: toVideoRequest(request, inputs, { generateAudio: true, storageUri, personGeneration }),
        namesModel: true,
        timeoutMs: timeoutsMs.submit,
        maxBytes: MAX_STARTED_BYTES,
      });
      return readStarted(answer, OPERATION_NAME);
    },

    check: async (operation) =>
      readOperationState(await readOperation(operation, timeoutsMs.check), (uri) => uri),

    open: async (operation, source) =>
      source.kind === 'address'
        ? download(source.uri, fileTimeoutMs)
        : openInlineVideo(await readOperation(operation, fileTimeoutMs)),

    discard: async (_, source) => {
      if (source.kind === 'address') await remove(source.uri, timeoutsMs.check);
    },
  };
};

export const vertexImages = ({ call, modelPath }: VertexClient): ImageGenerator => ({
  generate: async (request, { timeoutMs }) =>
    readAnswer(
      await call(`${modelPath(request.model)}:generateContent`, {
        body: toImageRequest(request),
        namesModel: true,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    ),
});
