/**
 * Refusals of upstreams beside Google's errors in `errors.ts`.
 * - retired: github.com/continuedev/continue/issues/12720
 * - retiredWithReplacement: the newer wording of the same answer
 * - vertexUnknown: github.com/pollinations/pollinations/issues/9900
 * - flagged, noCredit: the error format and the metadata in the documentation of OpenRouter
 * - outOfQuota: the documentation of OpenAI's error codes
 */
export const RECORDED_FAILURES = {
  retired: {
    error: {
      code: 404,
      message:
        'This model models/gemini-3-pro-preview is no longer available. Please update your code to use a newer model for the latest features and improvements.',
      status: 'NOT_FOUND',
    },
  },
  retiredWithReplacement: {
    error: {
      code: 404,
      message:
        'This model models/veo-3.1-generate-preview is no longer available. Please update your code to use models/gemini-omni-1.1-flash for the latest features and improvements. We recommend you to use the Interactions API (https://ai.google.dev/gemini-api/docs/get-started).',
      status: 'NOT_FOUND',
    },
  },
  vertexUnknown: {
    error: {
      code: 404,
      message:
        'Publisher Model `projects/acme/locations/us-central1/publishers/google/models/veo-3.1-fast-generate-preview` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions',
      status: 'NOT_FOUND',
    },
  },
  flagged: {
    error: {
      code: 403,
      message: 'Your input was flagged.',
      metadata: { reasons: ['violence'], flagged_input: 'a fight', provider_name: 'Google' },
    },
    user_id: 'user_1',
  },
  noCredit: { error: { code: 402, message: 'Insufficient credits.' }, user_id: 'user_1' },
  outOfQuota: {
    error: {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_quota',
    },
  },
} as const;
