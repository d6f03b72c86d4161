import type { VideoGenerator } from '../../videos/domain/media.ts';
import type { GeminiClient } from './gemini-client.ts';
import {
  CALL_TIMEOUTS_MS,
  MAX_STARTED_BYTES,
  openInlineVideo,
  readOperationState,
  readStarted,
  toVideoRequest,
} from './video-format.ts';

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
