import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { decodePrincipal, secretAccessKey } from '../messages.ts';
import type { AuthFailure } from './auth-failures.ts';
import type { AwsRequest } from './service.ts';

/** Node's SHA-256 with the interface that the SDK's signer expects. */
class Sha256 {
  #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('Sha256 cannot be reset');
  }
}

const bytes = (secret: string | ArrayBuffer | ArrayBufferView): Buffer => {
  if (typeof secret === 'string') return Buffer.from(secret, 'utf8');
  if (ArrayBuffer.isView(secret)) return Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength);
  return Buffer.from(secret);
};

export const sha256Hex = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The unverified claims of a request about its signature. */
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

const readScope = (credential: string) => {
  const [accessKeyId, shortDate, region, service, terminator, ...rest] = credential.split('/');
  if (!accessKeyId || !shortDate || !region || !service) return undefined;
  if (terminator !== 'aws4_request' || rest.length > 0) return undefined;
  return { accessKeyId, shortDate, region, service };
};

const headerClaims = ({ headers }: AwsRequest): SignatureClaims | undefined => {
  const [, credential, signedHeaders, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const scope = readScope(credential ?? '');
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
  const scope = readScope(query['X-Amz-Credential'] ?? '');
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

const CONTENT_HASH = 'x-amz-content-sha256';
const MAXIMUM_SKEW = 15 * 60 * 1000;
const LONGEST_PRESIGNED = 7 * 24 * 60 * 60;

type Verdict = { readonly principal: string } | { readonly failure: AuthFailure };

type Verification = {
  readonly request: AwsRequest;
  readonly claims: SignatureClaims;
  readonly region: string;
  readonly masterSecret: string;
  /** Hash of a buffered body; a streamed body is compared with its declared hash later. */
  readonly payloadHash: string | undefined;
  readonly now: number;
};

const parseDate = (longDate: string): Date =>
  new Date(longDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const signerFor = (claims: SignatureClaims, secret: string) =>
  new SignatureV4({
    credentials: { accessKeyId: claims.accessKeyId, secretAccessKey: secret },
    region: claims.region,
    service: claims.service,
    sha256: Sha256,
    applyChecksum: false,
    // Only S3 signs the path without escaping it again.
    uriEscapePath: claims.service !== 's3',
  });

const signable = ({ request, claims, payloadHash }: Verification) => {
  const headers: Record<string, string> = {};
  for (const name of claims.signedHeaders) headers[name] = request.headers[name] ?? '';
  const declared = request.headers[CONTENT_HASH] ?? request.query['X-Amz-Content-Sha256'];
  headers[CONTENT_HASH] = declared ?? payloadHash ?? 'UNSIGNED-PAYLOAD';
  const { 'X-Amz-Signature': _, ...query } = request.query;
  return { method: request.method, protocol: 'http:', hostname: '', path: request.path, query, headers };
};

const expectedSignature = async (verification: Verification, secret: string): Promise<string> => {
  const { claims } = verification;
  const signer = signerFor(claims, secret);
  const signed = new Set(claims.signedHeaders);
  const options = {
    signingDate: parseDate(claims.longDate),
    signableHeaders: signed,
    unsignableHeaders: new Set([CONTENT_HASH]),
  };
  if (claims.place === 'header') {
    const { headers } = await signer.sign(signable(verification), options);
    return headers.authorization?.split('Signature=')[1] ?? '';
  }
  const unhoistableHeaders = new Set([...signed, CONTENT_HASH]);
  const presigning = { ...options, unhoistableHeaders, expiresIn: claims.expiresIn };
  const { query } = await signer.presign(signable(verification), presigning);
  return String(query?.['X-Amz-Signature']);
};

const dateFailure = ({ place, longDate, shortDate, expiresIn }: SignatureClaims, now: number) => {
  const signedAt = parseDate(longDate).getTime();
  if (Number.isNaN(signedAt) || !longDate.startsWith(shortDate)) return 'malformed';
  if (expiresIn > LONGEST_PRESIGNED) return 'malformed';
  if (signedAt - now > MAXIMUM_SKEW) return 'skewed';
  if (place === 'query') return now > signedAt + expiresIn * 1000 ? 'expired' : undefined;
  return now - signedAt > MAXIMUM_SKEW ? 'skewed' : undefined;
};

const bodyIsAsDeclared = ({ request, payloadHash }: Verification): boolean => {
  const declared = request.headers[CONTENT_HASH];
  return payloadHash === undefined || declared === undefined || declared === payloadHash;
};

/** A presigned URL must not be extended by unsigned headers. */
const hasUnsignedHeaders = ({ request, claims }: Verification): boolean =>
  Object.keys(request.headers).some(
    (name) => name.startsWith('x-amz-') && name !== CONTENT_HASH && !claims.signedHeaders.includes(name),
  );

const sameText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

export const verifySignature = async (verification: Verification): Promise<Verdict> => {
  const { claims, region, masterSecret, now } = verification;
  const principal = decodePrincipal(claims.accessKeyId);
  if (principal === undefined) return { failure: 'unknownKey' };
  if (claims.region !== region) return { failure: 'wrongRegion' };
  if (!claims.signedHeaders.includes('host')) return { failure: 'malformed' };
  const failure = dateFailure(claims, now);
  if (failure) return { failure };
  const secret = secretAccessKey(masterSecret, claims.accessKeyId);
  const expected = await expectedSignature(verification, secret);
  if (!sameText(expected, claims.signature)) return { failure: 'mismatch' };
  if (hasUnsignedHeaders(verification)) return { failure: 'unsignedHeaders' };
  return bodyIsAsDeclared(verification) ? { principal } : { failure: 'unsignedBody' };
};
