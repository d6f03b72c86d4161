import type { ServerResponse } from 'node:http';
import { sendJson } from '../exchange.ts';
import { type ErrorStatus, UpstreamError } from '../upstream-error.ts';

/** google.rpc status names and Google's usual messages, by HTTP status. */
const STATUSES: Readonly<Record<ErrorStatus, { readonly status: string; readonly message: string }>> = {
  400: { status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  401: {
    status: 'UNAUTHENTICATED',
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  },
  402: { status: 'FAILED_PRECONDITION', message: 'Your prepayment credits are depleted.' },
  403: { status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  404: { status: 'NOT_FOUND', message: 'Requested entity was not found.' },
  408: { status: 'DEADLINE_EXCEEDED', message: 'The request timed out.' },
  409: { status: 'ABORTED', message: 'The operation was aborted.' },
  413: { status: 'INVALID_ARGUMENT', message: 'Request payload size exceeds the limit.' },
  415: { status: 'INVALID_ARGUMENT', message: 'The content type is not supported.' },
  429: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  500: { status: 'INTERNAL', message: 'An internal error has occurred. Please retry or report the problem.' },
  502: { status: 'UNAVAILABLE', message: 'Bad gateway.' },
  503: { status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  504: { status: 'DEADLINE_EXCEEDED', message: 'The request timed out. Please try again.' },
};

export const errorInfo = (reason: string, domain: string, metadata: object) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata,
});

const QUOTAS = {
  minute: 'GenerateRequestsPerMinutePerProjectPerModel',
  day: 'GenerateRequestsPerDayPerProjectPerModel',
} as const;

const quotaFailure = (quota: keyof typeof QUOTAS) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [
    { quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId: QUOTAS[quota] },
  ],
});

const retryInfo = (seconds: number) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: `${seconds}s`,
});

const toBody = ({ code, text, facts }: UpstreamError) => {
  const { status, message } = STATUSES[code];
  const { quota, retryAfterSeconds: seconds } = facts;
  const details = [
    ...(facts.details ?? []),
    ...(quota === undefined ? [] : [quotaFailure(quota)]),
    ...(seconds === undefined ? [] : [retryInfo(seconds)]),
  ];
  const advice = seconds === undefined ? '' : ` Please retry in ${seconds}s.`;
  return {
    error: {
      code,
      message: `${text ?? message}${advice}`,
      status,
      ...(details.length > 0 && { details }),
    },
  };
};

const page = (code: number) =>
  `<!DOCTYPE html><html lang=en><title>Error ${code} (Server Error)</title><p><b>${code}.</b> The service is temporarily unavailable.</html>\n`;

/** Like Google's front end, sends an HTML page instead of JSON for 502 and 503. */
export const sendGoogleError = (response: ServerResponse, error: UpstreamError): void => {
  const { code } = error;
  if (code === 502 || code === 503)
    response.writeHead(code, { 'content-type': 'text/html; charset=UTF-8' }).end(page(code));
  else sendJson(response, toBody(error), code);
};

export const unsupported = (field: string) =>
  new UpstreamError(
    400,
    `\`${field}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`,
  );

export const unsupportedUseCase = () =>
  new UpstreamError(
    400,
    'Your use case is currently not supported. Please refer to Gemini API documentation for current model offering.',
  );
