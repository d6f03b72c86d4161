import type { Credential } from './credentials.ts';
import { nativeImages } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, probeByName } from './probe.ts';
import { connectServer, keyAuthorization } from './upstream-connection.ts';
import { nativeVideos } from './video-format.ts';

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

type ClientOptions = ServerOptions & { readonly modelName: ModelName };

const modelPath =
  ({ modelName }: ClientOptions) =>
  (model: string): string =>
    `v1beta/models/${modelName(model)}`;

export const geminiVideos = (options: ClientOptions) => {
  const server = geminiServer(options);
  return nativeVideos({
    ...server,
    modelPath: modelPath(options),
    operationName: /^[\w./-]+$/,
    readOperation: (operation, timeoutMs) => server.stream(`v1beta/${operation}`, { timeoutMs }),
  });
};

export const geminiImages = (options: ClientOptions) =>
  nativeImages(geminiServer(options), modelPath(options));
