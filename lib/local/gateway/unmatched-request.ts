import type { GatewayError } from './gateway-responses.ts';
import { type GatewayRequest, headerValue } from './request.ts';

const PARAMETERS = ['Credential', 'Signature', 'SignedHeaders'];

/** AWS asks for its own signature where no route matches, and reads any Authorization header as one. */
export const unmatchedError = (request: GatewayRequest): GatewayError =>
  authorization(request) === '' ? 'MISSING_AUTHENTICATION_TOKEN' : 'INCOMPLETE_SIGNATURE';

/** What AWS finds missing in a header that is no signature. */
export const signatureError = (request: GatewayRequest): string => {
  const header = authorization(request);
  const [, ...parts] = header.split(/[\s,]+/);
  const odd = parts.find((part) => !part.includes('='));
  if (odd !== undefined)
    return `'${odd}' not a valid key=value pair (missing equal-sign) in Authorization header: '${header}'.`;
  const missing = PARAMETERS.map((name) => `Authorization header requires '${name}' parameter.`);
  const date = "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.";
  return [...missing, date, `Authorization=${header}`].join(' ');
};

const authorization = (request: GatewayRequest) => headerValue(request, 'authorization')?.trim() ?? '';
