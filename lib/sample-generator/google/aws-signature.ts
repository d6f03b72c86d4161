import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Checks the signature of a request to AWS, as AWS would when Google sends it the request. */

export type AwsIdentity = {
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** `arn:aws:sts::ACCOUNT:assumed-role/ROLE/SESSION` */
  readonly arn: string;
};
export type FindAwsIdentity = (accessKeyId: string) => AwsIdentity | undefined;

export type SignedRequest = {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
};

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^,/]+)\/(\d{8})\/([\w-]+)\/sts\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const SKEW_MILLISECONDS = 15 * 60 * 1000;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const canonicalRequest = ({ method, url, headers }: SignedRequest, signed: readonly string[]): string => {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const lines = signed.map((name) => `${name}:${(headers.get(name) ?? '').trim().replace(/\s+/g, ' ')}\n`);
  return [method, pathname, query.join('&'), lines.join(''), signed.join(';'), sha256('')].join('\n');
};

const readDate = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

type Verdict = { readonly arn: string } | { readonly problem: string };

export const verifyAwsSignature = (
  request: SignedRequest,
  requiredHeaders: readonly string[],
  find: FindAwsIdentity,
): Verdict => {
  const { headers } = request;
  const parts = AUTHORIZATION.exec(headers.get('authorization') ?? '');
  const longDate = headers.get('x-amz-date') ?? '';
  if (parts === null) return { problem: 'AWS request has invalid format.' };
  const [, accessKeyId = '', date = '', region = '', names = '', signature = ''] = parts;
  const signed = names.split(';');
  const missing = requiredHeaders.find((name) => !signed.includes(name));
  if (missing !== undefined) return { problem: `AWS request has invalid format: ${missing} is not signed.` };
  if (headers.has('x-amz-content-sha256'))
    return { problem: 'AWS request has invalid format: x-amz-content-sha256 is not accepted.' };
  const identity = find(accessKeyId);
  if (identity === undefined)
    return {
      problem:
        'Received AWS error InvalidClientTokenId: The security token included in the request is invalid.',
    };
  if (headers.get('x-amz-security-token') !== identity.sessionToken)
    return {
      problem: 'Received AWS error ExpiredToken: The security token included in the request is expired.',
    };
  if (!longDate.startsWith(date) || !(Math.abs(readDate(longDate) - Date.now()) <= SKEW_MILLISECONDS))
    return {
      problem: `Received AWS error SignatureDoesNotMatch: Signature expired: ${longDate} is out of range.`,
    };
  const key = ['sts', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${identity.secretAccessKey}`, date), region),
  );
  const scope = `${date}/${region}/sts/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', longDate, scope, sha256(canonicalRequest(request, signed))].join('\n');
  const isValid = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return isValid
    ? { arn: identity.arn }
    : { problem: 'Received AWS error SignatureDoesNotMatch: The signature does not match.' };
};
