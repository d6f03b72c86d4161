import type { Credential } from '../../adapters/credentials.ts';
import { nativeImages } from '../../adapters/image-format.ts';
import { type ModelName, probesByName } from '../../adapters/probe.ts';
import { connectServer, keyAuthorization, type ServerOptions } from '../../adapters/upstream-connection.ts';
import { nativeVideos } from '../../adapters/video-format.ts';

type Options = Pick<ServerOptions, 'baseUrl' | 'fetch'> & {
  readonly keyHeader: string;
  readonly credential: Credential;
  readonly modelName: ModelName;
};

const connect = ({ keyHeader, credential, modelName, ...options }: Options) => ({
  ...connectServer({ ...options, authorization: keyAuthorization(credential, keyHeader) }),
  modelPath: (model: string): string => `v1beta/models/${modelName(model)}`,
});

export const geminiClient = (options: Options) => {
  const server = connect(options);
  return {
    ...server,
    ...probesByName(server, 'v1beta/models?pageSize=1', (name) => `v1beta/models/${name}`),
    videos: nativeVideos({
      ...server,
      operationName: /^[\w./-]+$/,
      readOperation: (operation, timeoutMs) => server.stream(`v1beta/${operation}`, { timeoutMs }),
    }),
  };
};

export const geminiImages = (options: Options) => nativeImages(connect(options));
