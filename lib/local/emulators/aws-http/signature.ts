import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { decodePrincipal, secretAccessKey } from '../messages.ts';
import type { AuthFailure } from './auth-failures.ts';
import type { AwsRequest } from './service.ts';

export const sha256Hex = (data: Uint8Array | string): string => hash('sha256', data);

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

export const isPresigned = ({ query }: AwsRequest): boolean => 'X-Amz-Algorithm' in query;

const QUERY_CLAIMS = ['Credential', 'SignedHeaders', 'Signature', 'Date', 'Expires'];

/** The credential, signed headers, signature, date and validity of a signature. */
const writtenClaims = (request: AwsRequest): readonly (string | undefined)[] => {
  const { headers, query } = request;
  if (isPresigned(request))
    return query['X-Amz-Algorithm'] === 'AWS4-HMAC-SHA256'
      ? QUERY_CLAIMS.map((name) => query[`X-Amz-${name}`])
      : [];
  const [, ...parts] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  return [...parts, headers['x-amz-date'], '0'];
};

export const readClaims = (request: AwsRequest): SignatureClaims | undefined => {
  const [credential = '', names, signature, longDate, expires = ''] = writtenClaims(request);
  const scope = readScope(credential);
  if (!scope || !names || !signature || !longDate || !/^\d{1,7}$/.test(expires)) return undefined;
  const place = isPresigned(request) ? 'query' : 'header';
  return {
    place,
    ...scope,
    longDate,
    signature,
    signedHeaders: names.split(';'),
    expiresIn: Number(expires),
  };
};

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

const LONG_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Undefined for any other format, and for a date that does not exist. */
const parseDate = (longDate: string): number | undefined => {
  const time = Date.parse(longDate.replace(LONG_DATE, '$1-$2-$3T$4:$5:$6Z'));
  return LONG_DATE.test(longDate) && !Number.isNaN(time) ? time : undefined;
};

const escapeUri = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [escapeUri(name), escapeUri(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** The text that AWS defines for comparing requests; its hash is signed. */
const canonicalRequest = ({ request, claims, payloadHash }: Verification): string => {
  const { method, path, query, headers } = request;
  const signed = claims.signedHeaders.toSorted();
  const declared = headers[CONTENT_HASH] ?? query['X-Amz-Content-Sha256'];
  return [
    method,
    // Only S3 signs the path without escaping it again.
    claims.service === 's3' ? path : escapeUri(path).replaceAll('%2F', '/'),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signed.join(';'),
    declared ?? payloadHash ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
};

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Node takes six times as long for a key that is a buffer. */
const chain = (key: KeyObject, text: string): KeyObject => createSecretKey(hmac(key, text));

const MOST_KEYS = 1000;
const signingKeys = new Map<string, KeyObject>();

/** Kept, because a client uses the same key for a whole day. */
const signingKey = (masterSecret: string, accessKeyId: string, scope: string): KeyObject => {
  const name = `${masterSecret} ${accessKeyId} ${scope}`;
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const secret = createSecretKey(`AWS4${secretAccessKey(masterSecret, accessKeyId)}`, 'utf8');
  const key = scope.split('/').reduce(chain, secret);
  if (signingKeys.size >= MOST_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
};

const expectedSignature = (verification: Verification): string => {
  const { claims, masterSecret } = verification;
  const { accessKeyId, longDate, region, service } = claims;
  const scope = `${longDate.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', longDate, scope, sha256Hex(canonicalRequest(verification))].join('\n');
  return hmac(signingKey(masterSecret, accessKeyId, scope), text).toString('hex');
};

const dateFailure = ({ place, longDate, shortDate, expiresIn }: SignatureClaims, now: number) => {
  const signedAt = parseDate(longDate);
  if (signedAt === undefined || !longDate.startsWith(shortDate)) return 'malformed';
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

export const verifySignature = (verification: Verification): Verdict => {
  const { claims, region, now } = verification;
  const principal = decodePrincipal(claims.accessKeyId);
  if (principal === undefined) return { failure: 'unknownKey' };
  if (claims.region !== region) return { failure: 'wrongRegion' };
  if (!claims.signedHeaders.includes('host')) return { failure: 'malformed' };
  const failure = dateFailure(claims, now);
  if (failure) return { failure };
  if (!sameText(expectedSignature(verification), claims.signature)) return { failure: 'mismatch' };
  if (hasUnsignedHeaders(verification)) return { failure: 'unsignedHeaders' };
  return bodyIsAsDeclared(verification) ? { principal } : { failure: 'unsignedBody' };
};
