import type { VideoGenerator } from '../../videos/domain/media.ts';
import { UpstreamError } from '../domain/upstream.ts';
import type { VertexClient } from './vertex-client.ts';
import {
  CALL_TIMEOUTS_MS,
  MAX_STARTED_BYTES,
  openInlineVideo,
  readOperationState,
  readStarted,
  toVideoRequest,
} from './video-format.ts';

/** The path of the model, which also answers for its operations, and the id of the operation. */
const OPERATION_NAME =
  /^(projects\/[\w.:-]+\/locations\/[\w-]+\/publishers\/google\/models\/[\w.-]+)\/operations\/[\w-]+$/;

export const vertexVideos = (
  { call, stream, modelPath, storageUri, download, remove }: VertexClient,
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
        // Unlike the Gemini API, Vertex AI requires this parameter for models with sound.
        body: toVideoRequest(request, inputs, { generateAudio: true, storageUri }),
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
