/**
 * Error responses of Google's APIs: the status, the body, and the headers if they matter.
 * - busy: github.com/vercel/ai, packages/google/src/__fixtures__/google-429-retry-info.json
 * - thinkingLevel: the same folder, issue-22372-live-errors.json
 * - vertexBusy: github.com/google-gemini/gemini-cli/issues/14831, one element of the streamed list
 * - impersonationDenied: github.com/google-github-actions/auth/issues/340
 */
export const RECORDED_ERRORS = {
  busy: {
    error: {
      code: 429,
      message: 'You exceeded your current quota, please check your plan.',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' },
      ],
    },
  },
  thinkingLevel: {
    error: {
      code: 400,
      message:
        'Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.',
      status: 'INVALID_ARGUMENT',
    },
  },
  vertexBusy: {
    error: {
      code: 429,
      message:
        'Resource exhausted. Please try again later. Please refer to https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.',
      errors: [
        {
          message:
            'Resource exhausted. Please try again later. Please refer to https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.',
          domain: 'global',
          reason: 'rateLimitExceeded',
        },
      ],
      status: 'RESOURCE_EXHAUSTED',
    },
  },
  impersonationDenied: {
    error: {
      code: 403,
      message: "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
      status: 'PERMISSION_DENIED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'IAM_PERMISSION_DENIED',
          domain: 'iam.googleapis.com',
          metadata: { permission: 'iam.serviceAccounts.getAccessToken' },
        },
      ],
    },
  },
} as const;

/**
 * Errors of the token exchange, with status 400.
 * - wrongAudience: github.com/google-github-actions/auth/issues/202
 * - malformedAudience: github.com/google-github-actions/auth/issues/211
 * - malformedRequest: discuss.google.dev/t/244519
 */
export const RECORDED_TOKEN_ERRORS = {
  wrongAudience: {
    error: 'invalid_target',
    error_description:
      'The target service indicated by the "audience" parameters is invalid. This might either be because the pool or provider is disabled or deleted or because it doesn\'t exist.',
  },
  malformedAudience: {
    error: 'invalid_request',
    error_description:
      'Invalid value for "audience". This value should be the full resource name of the Identity Provider. See https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token for the list of possible formats.',
  },
  malformedRequest: { error: 'invalid_grant', error_description: 'AWS request has invalid format.' },
} as const;
