/** google.rpc status names and the upstream's default messages, by HTTP status. */
export const HTTP_ERRORS = {
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
  429: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  500: { status: 'INTERNAL', message: 'An internal error has occurred. Please retry or report the problem.' },
  502: { status: 'UNAVAILABLE', message: 'Bad gateway.' },
  503: { status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  504: { status: 'DEADLINE_EXCEEDED', message: 'The request timed out. Please try again.' },
} as const;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

export class UpstreamError extends Error {
  readonly code: HttpErrorCode;
  readonly details: readonly object[];

  constructor(
    code: HttpErrorCode,
    message: string = HTTP_ERRORS[code].message,
    details: readonly object[] = [],
  ) {
    super(message);
    this.code = code;
    this.details = details;
  }

  body() {
    const { code, message, details } = this;
    const { status } = HTTP_ERRORS[code];
    return { error: { code, message, status, ...(details.length > 0 && { details }) } };
  }
}

export const invalid = (message: string) => new UpstreamError(400, message);

export const unsupported = (field: string) =>
  invalid(
    `\`${field}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`,
  );

export const unsupportedUseCase = () =>
  invalid(
    'Your use case is currently not supported. Please refer to Gemini API documentation for current model offering.',
  );

const MAX_CHARACTERS = 80;

/** Text from a client, shortened and without control characters, for use in a message. */
export const shortened = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 2));
  const line = characters
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed();
  return characters.length > MAX_CHARACTERS ? `${line}…` : line;
};
