import { AwsError, type Dialect } from './service.ts';

type Failure = {
  readonly status: number;
  readonly xml: string;
  readonly json: string;
  readonly message: string;
};

const FAILURES = {
  missing: {
    status: 403,
    xml: 'AccessDenied',
    json: 'MissingAuthenticationTokenException',
    message: 'Request is missing Authentication Token',
  },
  malformed: {
    status: 400,
    xml: 'AuthorizationHeaderMalformed',
    json: 'IncompleteSignatureException',
    message: 'The authorization is not a complete AWS Signature Version 4.',
  },
  twice: {
    status: 400,
    xml: 'InvalidArgument',
    json: 'InvalidSignatureException',
    message:
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
  },
  unknownKey: {
    status: 403,
    xml: 'InvalidAccessKeyId',
    json: 'UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
  },
  mismatch: {
    status: 403,
    xml: 'SignatureDoesNotMatch',
    json: 'InvalidSignatureException',
    message:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  },
  expired: {
    status: 403,
    xml: 'AccessDenied',
    json: 'ExpiredTokenException',
    message: 'Request has expired',
  },
  skewed: {
    status: 403,
    xml: 'RequestTimeTooSkewed',
    json: 'InvalidSignatureException',
    message: 'Signature expired: the difference between the request time and the current time is too large.',
  },
  wrongRegion: {
    status: 400,
    xml: 'AuthorizationHeaderMalformed',
    json: 'InvalidSignatureException',
    message: 'Credential should be scoped to a valid region.',
  },
  unsignedHeaders: {
    status: 403,
    xml: 'AccessDenied',
    json: 'InvalidSignatureException',
    message: 'There were headers present in the request which were not signed',
  },
  unsignedBody: {
    status: 400,
    xml: 'XAmzContentSHA256Mismatch',
    json: 'InvalidSignatureException',
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
} as const satisfies Record<string, Failure>;

export type AuthFailure = keyof typeof FAILURES;

export const authError = (failure: AuthFailure, dialect: Dialect): AwsError => {
  const { status, message, [dialect]: code } = FAILURES[failure];
  return new AwsError(status, code, message);
};
