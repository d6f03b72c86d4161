import * as z from 'zod';

/** The gateway's own responses, with the default status and message. */
const GATEWAY_ERRORS = {
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  BAD_REQUEST: { status: 400, message: 'Bad Request' },
  INCOMPLETE_SIGNATURE: { status: 403, message: 'Incomplete Signature' },
  // AWS documents 504, but answers 500 if the response is not defined.
  INTEGRATION_FAILURE: { status: 500, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  MALFORMED_RESPONSE: { status: 502, message: 'Internal server error' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
} as const satisfies Record<string, { status: number; message: string }>;

export type GatewayError = keyof typeof GATEWAY_ERRORS;

/** AWS has no response type for these and uses the default one. */
const WITHOUT_OWN_TYPE: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'INCOMPLETE_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

const gatewayResponseSchema = z.strictObject({
  statusCode: z.coerce.number().optional(),
  responseTemplates: z
    .strictObject({ 'application/json': z.string() })
    .default({ 'application/json': '{"message":$context.error.messageString}' }),
  responseParameters: z
    .record(
      z.string().regex(/^gatewayresponse\.header\.\w/),
      z
        .string()
        .regex(/^('.*'|context\.[\w.]+)$/s, 'the local gateway knows only texts and context variables'),
    )
    .default({}),
});

/** The extension `x-amazon-apigateway-gateway-responses`. */
export const gatewayResponsesSchema = z.record(z.string(), gatewayResponseSchema);

export type GatewayResponses = ReadonlyMap<string, z.infer<typeof gatewayResponseSchema>>;

type RenderedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Values of `$context` in templates and parameters. */
type RenderContext = {
  readonly variables: Readonly<Record<string, string>>;
  /** If it differs from the default. */
  readonly message?: string | undefined;
};

const NOT_DEFINED = gatewayResponseSchema.parse({});

export const renderGatewayResponse = (
  responses: GatewayResponses,
  error: GatewayError,
  { variables, message = GATEWAY_ERRORS[error].message }: RenderContext,
): RenderedResponse => {
  const { status } = GATEWAY_ERRORS[error];
  const fallback = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const found = responses.get(error) ?? responses.get(fallback) ?? NOT_DEFINED;
  const all = {
    ...variables,
    'error.message': message,
    'error.messageString': JSON.stringify(message),
    'error.responseType': WITHOUT_OWN_TYPE.has(error) ? fallback : error,
  };
  const headers = Object.entries(found.responseParameters).flatMap(([target, source]) => {
    const value = parameterValue(source, all);
    return value === undefined ? [] : [[target.replace('gatewayresponse.header.', ''), value] as const];
  });
  return {
    status: found.statusCode ?? status,
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries(headers) },
    body: substitute(found.responseTemplates['application/json'], all),
  };
};

/** As on AWS, gateway responses support only plain variables, and unknown ones are empty. */
const substitute = (template: string, variables: Readonly<Record<string, string>>): string => {
  const replace = (_match: string, braced: string | undefined, plain: string | undefined) =>
    variables[(braced ?? plain ?? '').replace(/^context\./, '')] ?? '';
  return template.replace(/\$(?:\{(context\.[\w.]*\w)\}|(context\.[\w.]*\w))/g, replace);
};

const parameterValue = (source: string, variables: Readonly<Record<string, string>>): string | undefined =>
  /^'(.*)'$/s.exec(source)?.[1] ?? variables[source.replace(/^context\./, '')];
