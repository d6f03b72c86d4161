/**
 * A response of the Gemini API's `generateContent` as recorded in github.com/vercel/ai,
 * packages/google/src/__fixtures__: google-image-gemini-3.1-flash-image.json. Base64 is replaced by placeholders of the
 * recorded length.
 */

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
    promptTokenCount: 10,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
    serviceTier: 'standard',
    candidatesTokenCount: 1392,
    totalTokenCount: 1402,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
  },
  modelVersion: 'gemini-3.1-flash-image',
  responseId: 'dTOras2iGqLc-sAPiO2BiAw',
};
