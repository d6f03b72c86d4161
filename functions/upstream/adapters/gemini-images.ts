import type { ImageGenerator } from '../../images/domain/image-request.ts';
import type { GeminiClient } from './gemini-client.ts';
import { MAX_ANSWER_BYTES, readAnswer, toImageRequest } from './image-format.ts';

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
