import { timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { principalOf, secretAccessKey } from '../credentials.ts';
import type { AuthFailure } from './auth-failures.ts';
import type { AwsRequest } from './service.ts';
import { Sha256 } from './sha256.ts';
import type { SignatureClaims } from './signature-claims.ts';

const CONTENT_HASH = 'x-amz-content-sha256';
const MAXIMUM_SKEW = 15 * 60 * 1000;
const LONGEST_PRESIGNED = 7 * 24 * 60 * 60;

type Verdict = { readonly principal: string } | { readonly failure: AuthFailure };

type Verification = {
  readonly request: AwsRequest;
  readonly claims: SignatureClaims;
  readonly region: string;
  readonly masterSecret: string;
  /** Hash of the body where it was read; a streamed body is checked against its declared hash later. */
  readonly payloadHash: string | undefined;
  readonly now: number;
};

const dateOf = (longDate: string): Date =>
  new Date(longDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const signerFor = (claims: SignatureClaims, secret: string) =>
  new SignatureV4({
    credentials: { accessKeyId: claims.accessKeyId, secretAccessKey: secret },
    region: claims.region,
    service: claims.service,
    sha256: Sha256,
    applyChecksum: false,
    // S3 alone signs the path as it is on the wire.
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
    signingDate: dateOf(claims.longDate),
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
  const signedAt = dateOf(longDate).getTime();
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

/** What an address was signed for is all that it can be used for. */
const hasUnsignedHeaders = ({ request, claims }: Verification): boolean =>
  Object.keys(request.headers).some(
    (name) => name.startsWith('x-amz-') && name !== CONTENT_HASH && !claims.signedHeaders.includes(name),
  );

const sameText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

export const verifySignature = async (verification: Verification): Promise<Verdict> => {
  const { claims, region, masterSecret, now } = verification;
  const principal = principalOf(claims.accessKeyId);
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
