import type { Readable } from 'node:stream';
import { type AccessedResource, AwsError, type Reply, type SignedRequest } from '../aws-http/service.ts';
import type { Stores } from './stores.ts';

export type BucketCall = Stores & {
  readonly request: SignedRequest;
  readonly body: Readable;
  readonly bucket: string;
  /** Collected during the call, because one call may access several objects. */
  readonly accessed: AccessedResource[];
};

export type ObjectCall = BucketCall & { readonly key: string };

export type Operation<Call> = (call: Call) => Promise<Reply>;

export const xmlReply = (root: string, inner: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`,
});

/** Bucket and key of a percent-encoded path; both may be empty. */
export const readTarget = (path: string): { bucket: string; key: string } => {
  const at = path.indexOf('/', 1);
  try {
    const bucket = decodeURIComponent(at < 0 ? path.slice(1) : path.slice(1, at));
    return { bucket, key: at < 0 ? '' : decodeURIComponent(path.slice(at + 1)) };
  } catch {
    throw new AwsError(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
};

const STORED_HEADERS = new Set([
  'content-type',
  'content-disposition',
  'content-language',
  'cache-control',
  'expires',
]);

export const storedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const kept = Object.entries(headers).filter(
    ([name]) => STORED_HEADERS.has(name) || name.startsWith('x-amz-meta-'),
  );
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'aws-chunked');
  return {
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(kept),
    ...(encoding.length > 0 ? { 'content-encoding': encoding.join(',') } : {}),
  };
};

/** Tags are stored beside the headers of an object and never returned as one of them. */
export const TAGGING = 'x-amz-tagging';
const MAX_TAGS = 10;

/** The tags of a write as they are stored, which needs a permission of its own. */
export const writtenTags = ({ request, bucket, key, accessed }: ObjectCall): Record<string, string> => {
  const given = request.headers[TAGGING];
  if (given === undefined || given === '') return {};
  accessed.push({ action: 's3:PutObjectTagging', resource: `arn:aws:s3:::${bucket}/${key}` });
  const tags = new URLSearchParams(given);
  if (tags.size > MAX_TAGS || new Set(tags.keys()).size < tags.size)
    throw new AwsError(400, 'InvalidTag', 'Object tags cannot be greater than 10 or have the same key');
  return { [TAGGING]: tags.toString() };
};

export const readTags = (headers: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(headers[TAGGING] ?? '');

const noSuchKey = (key: string): AwsError =>
  new AwsError(404, 'NoSuchKey', 'The specified key does not exist.', { members: { Key: key } });

/** S3's error for a list, and for a missing key, if the caller may not list the prefix. */
export const listingDenied = (principal: string, bucket: string): AwsError =>
  new AwsError(
    403,
    'AccessDenied',
    `${principal} is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::${bucket}" because no identity-based policy allows the s3:ListBucket action`,
  );

type Place = { readonly bucket: string; readonly key: string };
type Caller = {
  readonly request: { readonly principal: string };
  readonly mayList: Stores['mayList'];
};

export const missingObject = (
  { request: { principal }, mayList }: Caller,
  { bucket, key }: Place,
): AwsError => (mayList(principal, bucket, key) ? noSuchKey(key) : listingDenied(principal, bucket));

export const preconditionFailed = (condition: string): AwsError =>
  new AwsError(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    members: { Condition: condition },
  });

export const malformedXml = (): AwsError =>
  new AwsError(400, 'MalformedXML', 'The XML you provided was not well-formed or did not validate.');

export const invalidArgument = (message: string): AwsError => new AwsError(400, 'InvalidArgument', message);

export const notImplemented = (): AwsError =>
  new AwsError(
    501,
    'NotImplemented',
    'A parameter you provided implies functionality that is not implemented',
  );
