import { UpstreamError } from '../domain/faults.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { AccessToken } from './google-token.ts';
import { nativeImages } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, probeByName } from './probe.ts';
import { connectServer } from './upstream-connection.ts';
import { withPath } from './upstream-http.ts';
import { CALL_TIMEOUTS_MS, nativeVideos, requireOperation } from './video-format.ts';

type ServerOptions = {
  /** The name of the upstream, for messages. */
  readonly name: string;
  readonly project: string;
  readonly location: string;
  /** Default: the address of the location. */
  readonly baseUrl?: string | undefined;
  readonly storageBaseUrl?: string | undefined;
  readonly token: AccessToken;
  readonly fetch: typeof fetch;
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

const placePath = ({ project, location }: Pick<ServerOptions, 'project' | 'location'>): string =>
  `v1/projects/${project}/locations/${location}`;

export const vertexServer = ({ name, project, location, token, fetch, ...addresses }: ServerOptions) => {
  const storage = new URL(addresses.storageBaseUrl ?? STORAGE);
  const server = connectServer({
    baseUrl: addresses.baseUrl ?? defaultBaseUrl(location),
    fetch,
    authorization: {
      header: async () => ['authorization', `Bearer ${await token.read()}`],
      renew: (refused, httpStatus) => token.renew(refused.slice('Bearer '.length), httpStatus),
    },
    origins: [storage.origin],
    explain: (error) =>
      error.httpStatus === 401
        ? new UpstreamError(
            'operator',
            `Vertex AI refused a new access token of the upstream "${name}"; check that its service account is enabled and that its token lifetime is not restricted.`,
            { httpStatus: 401, cause: error },
          )
        : error,
  });
  const { connection, call } = server;

  return {
    ...server,
    /** Downloads an object of Cloud Storage. */
    download: async (gcsUri: string, timeoutMs: number) => {
      const url = objectUrl(storage, gcsUri);
      url.searchParams.set('alt', 'media');
      return connection.download(url, timeoutMs);
    },

    /** Deletes an object of Cloud Storage; one that is gone already counts as deleted. */
    remove: async (gcsUri: string, timeoutMs: number): Promise<void> => {
      try {
        const answer = await connection.stream(objectUrl(storage, gcsUri), { method: 'DELETE', timeoutMs });
        await Array.fromAsync(answer);
      } catch (error) {
        if (!(error instanceof UpstreamError && error.httpStatus === 404)) throw error;
      }
    },

    verify: async (timeoutMs: number): Promise<void> => {
      await call(`${placePath({ project, location })}/models?pageSize=1`, {
        timeoutMs,
        maxBytes: MAX_LIST_BYTES,
      });
    },

    probe: (model: string, timeoutMs: number) =>
      probeByName(server, `v1/publishers/google/models/${model}`, timeoutMs),
  };
};

type ClientOptions = ServerOptions & {
  readonly modelName: ModelName;
  /** Where generated videos are stored, `gs://bucket/prefix/`; without it they are part of the response. */
  readonly storageUri?: string | undefined;
  /** Default: the default of Vertex AI. */
  readonly personGeneration?: string | undefined;
};

/** The path of the model, which also answers for its operations, and the id of the operation. */
const OPERATION_NAME =
  /^(projects\/[\w.:-]+\/locations\/[\w-]+\/publishers\/google\/models\/[\w.-]+)\/operations\/[\w-]+$/;

const modelPath =
  ({ modelName, ...place }: ClientOptions) =>
  (model: string): string =>
    `${placePath(place)}/publishers/google/models/${modelName(model)}`;

export const vertexVideos = (options: ClientOptions) => {
  const server = vertexServer(options);
  const { storageUri, personGeneration } = options;
  const videos = nativeVideos({
    ...server,
    modelPath: modelPath(options),
    operationName: OPERATION_NAME,
    // The path comes from the operation, so that an operation is found after the settings have changed.
    readOperation: async (operation, timeoutMs) => {
      const model = requireOperation(operation, OPERATION_NAME).replace(OPERATION_NAME, '$1');
      const body = { operationName: operation };
      return server.stream(`v1/${model}:fetchPredictOperation`, { body, timeoutMs });
    },
    storedAddress: (uri) => uri,
    // Unlike the Gemini API, Vertex AI accepts this parameter; its pages disagree on the default.
    parameters: { generateAudio: true, storageUri, personGeneration },
  });
  return (fileTimeoutMs: number, timeoutsMs = CALL_TIMEOUTS_MS): VideoGenerator => ({
    ...videos(fileTimeoutMs, timeoutsMs),
    discard: async (_, source) => {
      if (source.kind === 'address') await server.remove(source.uri, timeoutsMs.check);
    },
  });
};

export const vertexImages = (options: ClientOptions) =>
  nativeImages(vertexServer(options), modelPath(options));
