import type { AccessToken } from '../../adapters/google-token.ts';
import { nativeImages } from '../../adapters/image-format.ts';
import { type ModelName, probesByName } from '../../adapters/probe.ts';
import { connectServer } from '../../adapters/upstream-connection.ts';
import { removed, withPath } from '../../adapters/upstream-http.ts';
import { nativeVideos } from '../../adapters/video-format.ts';
import { UpstreamError } from '../../domain/faults.ts';
import type { Vertex } from './declaration.ts';

type Options = Pick<
  Vertex,
  'name' | 'project' | 'location' | 'storageUri' | 'personGeneration' | 'baseUrl' | 'storageBaseUrl'
> & {
  readonly modelName: ModelName;
  readonly token: AccessToken;
  readonly fetch: typeof fetch;
};

const STORAGE = 'https://storage.googleapis.com';
const GCS_URI = /^gs:\/\/([^/]+)\/(.+)/s;

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

/** The path of the model, which also answers for its operations, and the id of the operation. */
const OPERATION_NAME =
  /^(projects\/[\w.:-]+\/locations\/[\w-]+\/publishers\/google\/models\/[\w.-]+)\/operations\/[\w-]+$/;

const connect = ({ name, project, location, token, fetch, modelName, ...addresses }: Options) => {
  const storage = new URL(addresses.storageBaseUrl ?? STORAGE);
  const place = `v1/projects/${project}/locations/${location}`;
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

  return {
    ...server,
    place,
    modelPath: (model: string): string => `${place}/publishers/google/models/${modelName(model)}`,

    /** Videos are objects of Cloud Storage. */
    storedAddress: (uri: string) => uri,
    download: async (gcsUri: string, timeoutMs: number) => {
      const url = objectUrl(storage, gcsUri);
      url.searchParams.set('alt', 'media');
      return server.download(url, timeoutMs);
    },
    remove: async (gcsUri: string, timeoutMs: number) =>
      removed(server.stream(objectUrl(storage, gcsUri), { method: 'DELETE', timeoutMs })),
  };
};

export const vertexClient = (options: Options) => {
  const server = connect(options);
  const { storageUri, personGeneration } = options;
  return {
    ...server,
    ...probesByName(
      server,
      `${server.place}/models?pageSize=1`,
      (name) => `v1/publishers/google/models/${name}`,
    ),
    videos: nativeVideos({
      ...server,
      operationName: OPERATION_NAME,
      // The path comes from the operation, so that an operation is found after the settings have changed.
      readOperation: (operation, timeoutMs) => {
        const model = operation.replace(OPERATION_NAME, '$1');
        const body = { operationName: operation };
        return server.stream(`v1/${model}:fetchPredictOperation`, { body, timeoutMs });
      },
      // Unlike the Gemini API, Vertex AI accepts this parameter; its pages disagree on the default.
      parameters: { generateAudio: true, storageUri, personGeneration },
    }),
  };
};

export const vertexImages = (options: Options) => nativeImages(connect(options));
