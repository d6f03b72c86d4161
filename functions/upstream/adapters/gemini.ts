import type { Credential } from './credentials.ts';
import { nativeImages } from './image-format.ts';
import { MAX_LIST_BYTES, type ModelName, probeByName, type UpstreamClient } from './upstream-client.ts';
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

export const geminiClient = (options: ServerOptions & { readonly modelName: ModelName }): UpstreamClient => {
  const server = geminiServer(options);
  const modelPath = (model: string): string => `v1beta/models/${options.modelName(model)}`;
  return {
    ...server,
    videos: nativeVideos({
      ...server,
      modelPath,
      operationName: /^[\w./-]+$/,
      readOperation: (operation, timeoutMs) => server.stream(`v1beta/${operation}`, { timeoutMs }),
    }),
    images: nativeImages(server, modelPath),
  };
};
