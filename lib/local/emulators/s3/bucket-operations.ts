import * as z from 'zod';
import { AwsError, element, elements, elementText } from '../aws-http/service.ts';
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

const DAY = 24 * 60 * 60 * 1000;

const LifecycleRow = z.object({ name: z.string(), lifecycle: z.string().nullable() });

type LifecycleRule = {
  readonly prefix: string;
  readonly tags: readonly (readonly [key: string, value: string])[];
  readonly expirationDays: number | undefined;
  readonly abortDays: number | undefined;
};

const daysIn = (xml: string, parent: string, name: string): number | undefined => {
  const days = elementText(elements(xml, parent)[0] ?? '', name);
  return days === undefined ? undefined : Number(days);
};

const parseLifecycle = (xml: string): LifecycleRule[] =>
  elements(xml, 'Rule')
    .filter((rule) => elementText(rule, 'Status') === 'Enabled')
    .map((rule) => ({
      prefix: elementText(rule, 'Prefix') ?? '',
      tags: elements(rule, 'Tag').map(
        (tag) => [elementText(tag, 'Key') ?? '', elementText(tag, 'Value') ?? ''] as const,
      ),
      expirationDays: daysIn(rule, 'Expiration', 'Days'),
      abortDays: daysIn(rule, 'AbortIncompleteMultipartUpload', 'DaysAfterInitiation'),
    }));

export const putLifecycle: Operation<BucketCall> = async (call) => {
  const xml = await readXml(call);
  if (elements(xml, 'Rule').length === 0) throw malformedXml();
  call.database.prepare('UPDATE buckets SET lifecycle = ? WHERE name = ?').run(xml, call.bucket);
  return { status: 200, headers: {} };
};

export const getLifecycle: Operation<BucketCall> = async ({ database, bucket }) => {
  const row = database.prepare('SELECT name, lifecycle FROM buckets WHERE name = ?').get(bucket);
  const { lifecycle } = LifecycleRow.parse(row);
  if (lifecycle === null) {
    throw new AwsError(404, 'NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist');
  }
  return xmlReply('LifecycleConfiguration', elements(lifecycle, 'LifecycleConfiguration')[0] ?? '');
};

const applyRule = async ({ objects, uploads }: Stores, bucket: string, rule: LifecycleRule, now: number) => {
  const { prefix, tags, expirationDays, abortDays } = rule;
  if (expirationDays !== undefined) {
    const expired: string[] = [];
    for (const { key, modified, headers } of objects.iterate(bucket, prefix)) {
      if (!key.startsWith(prefix)) break;
      const stored = readTags(headers);
      const applies = tags.every(([name, value]) => stored.get(name) === value);
      if (applies && modified <= now - expirationDays * DAY) expired.push(key);
    }
    for (const key of expired) await objects.remove(bucket, key);
  }
  if (abortDays === undefined) return;
  const abandoned = uploads.olderThan(bucket, now - abortDays * DAY);
  for (const upload of abandoned) if (upload.key.startsWith(prefix)) await uploads.abort(upload);
};

export const applyLifecycles = async (stores: Stores, now: number): Promise<void> => {
  const rows = stores.database.prepare('SELECT name, lifecycle FROM buckets').all();
  for (const row of rows) {
    const { name, lifecycle } = LifecycleRow.parse(row);
    for (const rule of parseLifecycle(lifecycle ?? '')) await applyRule(stores, name, rule, now);
  }
};
