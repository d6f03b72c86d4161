import type { ImageGenerator } from '../../images/domain/image-request.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';
import type { VertexClient } from './vertex-client.ts';

export const vertexImages = ({ call, modelPath }: VertexClient): ImageGenerator => ({
  generate: async (request, { timeoutMs }) =>
    readAnswer(
      await call(`${modelPath(request.model)}:generateContent`, {
        body: toImageRequest(request),
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    ),
});
