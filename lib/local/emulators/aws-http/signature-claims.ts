import type { AwsRequest } from './service.ts';

/** What a request says about its own signature, before anyone believes it. */
export type SignatureClaims = {
  readonly place: 'header' | 'query';
  readonly accessKeyId: string;
  readonly shortDate: string;
  readonly region: string;
  readonly service: string;
  readonly longDate: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly expiresIn: number;
};

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;

const scopeOf = (credential: string) => {
  const [accessKeyId, shortDate, region, service, terminator, ...rest] = credential.split('/');
  if (!accessKeyId || !shortDate || !region || !service) return undefined;
  if (terminator !== 'aws4_request' || rest.length > 0) return undefined;
  return { accessKeyId, shortDate, region, service };
};

const headerClaims = ({ headers }: AwsRequest): SignatureClaims | undefined => {
  const [, credential, signedHeaders, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const scope = scopeOf(credential ?? '');
  const longDate = headers['x-amz-date'];
  if (!scope || !signedHeaders || !signature || !longDate) return undefined;
  return {
    place: 'header',
    ...scope,
    longDate,
    signature,
    signedHeaders: signedHeaders.split(';'),
    expiresIn: 0,
  };
};

const queryClaims = ({ query }: AwsRequest): SignatureClaims | undefined => {
  const scope = scopeOf(query['X-Amz-Credential'] ?? '');
  const longDate = query['X-Amz-Date'];
  const signature = query['X-Amz-Signature'];
  const signedHeaders = query['X-Amz-SignedHeaders'];
  const expires = query['X-Amz-Expires'];
  if (query['X-Amz-Algorithm'] !== 'AWS4-HMAC-SHA256') return undefined;
  if (!scope || !longDate || !signature || !signedHeaders || !/^\d{1,7}$/.test(expires ?? ''))
    return undefined;
  return {
    place: 'query',
    ...scope,
    longDate,
    signature,
    signedHeaders: signedHeaders.split(';'),
    expiresIn: Number(expires),
  };
};

export const isPresigned = ({ query }: AwsRequest): boolean => 'X-Amz-Algorithm' in query;

export const readClaims = (request: AwsRequest): SignatureClaims | undefined =>
  isPresigned(request) ? queryClaims(request) : headerClaims(request);
