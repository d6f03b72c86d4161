import { AwsError, type Dialect } from './service.ts';

type Failure = readonly [status: number, xml: string, json: string, message: string];

const FAILURES = {
  missing: [
    403,
    'AccessDenied',
    'MissingAuthenticationTokenException',
    'Request is missing Authentication Token',
  ],
  malformed: [
    400,
    'AuthorizationHeaderMalformed',
    'IncompleteSignatureException',
    'The authorization is not a complete AWS Signature Version 4.',
  ],
  twice: [
    400,
    'InvalidArgument',
    'InvalidSignatureException',
    'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
  ],
  unknownKey: [
    403,
    'InvalidAccessKeyId',
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ],
  mismatch: [
    403,
    'SignatureDoesNotMatch',
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  expired: [403, 'AccessDenied', 'ExpiredTokenException', 'Request has expired'],
  skewed: [
    403,
    'RequestTimeTooSkewed',
    'InvalidSignatureException',
    'Signature expired: the difference between the request time and the current time is too large.',
  ],
  wrongRegion: [
    400,
    'AuthorizationHeaderMalformed',
    'InvalidSignatureException',
    'Credential should be scoped to a valid region.',
  ],
  unsignedHeaders: [
    403,
    'AccessDenied',
    'InvalidSignatureException',
    'There were headers present in the request which were not signed',
  ],
  unsignedBody: [
    400,
    'XAmzContentSHA256Mismatch',
    'InvalidSignatureException',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, Failure>;

export type AuthFailure = keyof typeof FAILURES;

export const authError = (failure: AuthFailure, dialect: Dialect): AwsError => {
  const [status, xml, json, message] = FAILURES[failure];
  return new AwsError(status, dialect === 'xml' ? xml : json, message);
};
