/**
 * Responses of the Gemini API's `generateContent` as recorded in github.com/vercel/ai,
 * packages/google/src/__fixtures__: google-image-gemini-3.1-flash-image.json, google-image-no-image-live.json and
 * issue-19758-image-prompt-block.json. Base64 is replaced by placeholders of the recorded length.
 */

const usage = (promptTokenCount: number) => ({
  promptTokenCount,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokenCount }],
  serviceTier: 'standard',
});

export const IMAGE_DATA_LENGTH = 439_196;
export const SIGNATURE_LENGTH = 597_616;

export const IMAGE_WITH_SIGNATURE = {
  candidates: [
    {
      content: {
        parts: [
          {
            inlineData: { mimeType: 'image/jpeg', data: 'A'.repeat(IMAGE_DATA_LENGTH) },
            thoughtSignature: 'B'.repeat(SIGNATURE_LENGTH),
          },
        ],
        role: 'model',
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    ...usage(10),
    candidatesTokenCount: 1392,
    totalTokenCount: 1402,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
  },
  modelVersion: 'gemini-3.1-flash-image',
  responseId: 'dTOras2iGqLc-sAPiO2BiAw',
};

export const NO_IMAGE = {
  candidates: [{ content: {}, finishReason: 'NO_IMAGE', index: 0 }],
  usageMetadata: { ...usage(9), totalTokenCount: 9 },
  modelVersion: 'gemini-3.1-flash-image-preview',
  responseId: 'yzOraue2AfW1_PUPqru3sQY',
};

export const BLOCKED_PROMPT = {
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
  usageMetadata: { ...usage(9), totalTokenCount: 9 },
  modelVersion: 'gemini-3.1-flash-image-preview',
  responseId: 'FHGPatmJMfqI1MkP28uN-Qg',
};
