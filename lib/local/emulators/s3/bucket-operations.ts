import { AwsError, element, elements, elementText } from '../aws-http/service.ts';
import type { LifecycleRule, RulesOfBuckets } from './bucket-rules.ts';
import {
  type BucketCall,
  invalidArgument,
  listingDenied,
  malformedXml,
  notImplemented,
  type Operation,
  readTags,
  xmlReply,
} from './operation.ts';
import { readXml } from './request-body.ts';
import { quoted, type StoredObject, type Stores } from './stores.ts';

const MAX_DELETED = 1000;

export const createBucket: Operation<BucketCall> = async (call) => {
  await readXml(call);
  call.objects.createBucket(call.bucket);
  return { status: 200, headers: { location: `/${call.bucket}` } };
};

export const deleteObjects: Operation<BucketCall> = async (call) => {
  const { request, bucket, objects, accessed } = call;
  const digested = ['content-md5', 'x-amz-trailer'].some((name) => name in request.headers);
  const summed = Object.keys(request.headers).some((name) => /^x-amz-checksum-(crc|sha)/.test(name));
  if (!digested && !summed) {
    throw new AwsError(400, 'InvalidRequest', 'Missing required header for this request: Content-MD5');
  }
  const xml = await readXml(call);
  const keys = elements(xml, 'Object').map((object) => elementText(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > MAX_DELETED || keys.includes('')) throw malformedXml();
  for (const key of keys) {
    accessed.push({ action: 's3:DeleteObject', resource: `arn:aws:s3:::${bucket}/${key}` });
    await objects.remove(bucket, key);
  }
  const quiet = elementText(xml, 'Quiet') === 'true';
  const deleted = quiet ? [] : keys.map((key) => `<Deleted>${element('Key', key)}</Deleted>`);
  return xmlReply('DeleteResult', deleted.join(''));
};

const LARGEST_PAGE = 1000;
/** Parameters that are not emulated. */
const UNSUPPORTED = ['delimiter', 'encoding-type'];

const contents = ({ key, etag, size, modified }: StoredObject): string => {
  const fields = [
    element('Key', key),
    element('LastModified', new Date(modified).toISOString()),
    element('ETag', quoted(etag)),
    element('Size', size),
    element('StorageClass', 'STANDARD'),
  ];
  return `<Contents>${fields.join('')}</Contents>`;
};

const pageSize = (text = String(LARGEST_PAGE)): number => {
  if (!/^\d{1,9}$/.test(text))
    throw invalidArgument('Provided max-keys not an integer or within integer range');
  return Math.min(Number(text), LARGEST_PAGE);
};

type Listing = { readonly prefix: string; readonly after: string; readonly limit: number };

/** In UTF-8 order, as S3 sorts keys. */
const laterOf = (one: string, other: string): string =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0 ? other : one;

/** The continuation token is the last key of the previous page. */
const readPage = ({ objects, bucket }: BucketCall, { prefix, after, limit }: Listing) => {
  const page: StoredObject[] = [];
  for (const object of objects.iterate(bucket, laterOf(after, prefix))) {
    if (limit === 0 || !object.key.startsWith(prefix)) break;
    if (object.key === after) continue;
    if (page.length === limit) return { page, truncated: true };
    page.push(object);
  }
  return { page, truncated: false };
};

export const listObjects: Operation<BucketCall> = async (call) => {
  const { query } = call.request;
  if (UNSUPPORTED.some((name) => name in query)) throw notImplemented();
  const { prefix = '', 'continuation-token': token = '', 'start-after': startAfter = '' } = query;
  const { principal } = call.request;
  if (!call.mayList(principal, call.bucket, prefix)) throw listingDenied(principal, call.bucket);
  const limit = pageSize(query['max-keys']);
  // A token continues a listing, whatever key it started after.
  const after = token === '' ? startAfter : Buffer.from(token, 'base64url').toString('utf8');
  const { page, truncated } = readPage(call, { prefix, after, limit });
  const next = Buffer.from(page.at(-1)?.key ?? '').toString('base64url');
  const fields = [
    element('Name', call.bucket),
    element('Prefix', prefix),
    element('MaxKeys', limit),
    element('KeyCount', page.length),
    ...(startAfter === '' ? [] : [element('StartAfter', startAfter)]),
    element('IsTruncated', truncated),
    ...(truncated ? [element('NextContinuationToken', next)] : []),
    ...page.map(contents),
  ];
  return xmlReply('ListBucketResult', fields.join(''));
};

/** Buckets of us-east-1 have no location constraint. */
export const getLocation: Operation<BucketCall> = async () => xmlReply('LocationConstraint', '');

/** S3 encrypts every bucket; the files of this machine are not encrypted. */
export const getEncryption: Operation<BucketCall> = async () => {
  const applied = element('SSEAlgorithm', 'AES256');
  const rule = `<Rule><ApplyServerSideEncryptionByDefault>${applied}</ApplyServerSideEncryptionByDefault></Rule>`;
  return xmlReply('ServerSideEncryptionConfiguration', rule);
};

const DAY = 24 * 60 * 60 * 1000;

const applyRule = async ({ objects, uploads }: Stores, bucket: string, rule: LifecycleRule, now: number) => {
  const { Prefix, TagFilters, ExpirationInDays, AbortIncompleteMultipartUpload: abort } = rule;
  if (ExpirationInDays !== undefined) {
    const expired: string[] = [];
    for (const { key, modified, headers } of objects.iterate(bucket, Prefix)) {
      if (!key.startsWith(Prefix)) break;
      const stored = readTags(headers);
      const applies = TagFilters.every(({ Key, Value }) => stored.get(Key) === Value);
      if (applies && modified <= now - ExpirationInDays * DAY) expired.push(key);
    }
    for (const key of expired) await objects.remove(bucket, key);
  }
  if (abort === undefined) return;
  const abandoned = uploads.olderThan(bucket, now - abort.DaysAfterInitiation * DAY);
  for (const upload of abandoned) if (upload.key.startsWith(Prefix)) await uploads.abort(upload);
};

export const applyLifecycles = async (
  stores: Stores,
  buckets: RulesOfBuckets,
  now: number,
): Promise<void> => {
  for (const [name, { LifecycleConfiguration }] of Object.entries(buckets))
    for (const rule of LifecycleConfiguration.Rules)
      if (rule.Status === 'Enabled') await applyRule(stores, name, rule, now);
};
