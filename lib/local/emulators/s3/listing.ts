import { element } from '../aws-http/xml.ts';
import { invalidArgument, notImplemented } from './errors.ts';
import { type BucketCall, type Operation, xmlReply } from './operation.ts';
import { quoted, type StoredObject } from './stores.ts';

const LARGEST_PAGE = 1000;
/** What would change a listing, and is not emulated. */
const UNSUPPORTED = ['delimiter', 'start-after', 'encoding-type'];

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

/** A token is the last key of the page before. */
const pageOf = ({ objects, bucket }: BucketCall, { prefix, after, limit }: Listing) => {
  const page: StoredObject[] = [];
  // A key after the last one is within the prefix, or behind all of it.
  for (const object of objects.iterate(bucket, after === '' ? prefix : after)) {
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
  const { prefix = '', 'continuation-token': token = '' } = query;
  const limit = pageSize(query['max-keys']);
  const after = Buffer.from(token, 'base64url').toString('utf8');
  const { page, truncated } = pageOf(call, { prefix, after, limit });
  const next = Buffer.from(page.at(-1)?.key ?? '').toString('base64url');
  const fields = [
    element('Name', call.bucket),
    element('Prefix', prefix),
    element('MaxKeys', limit),
    element('KeyCount', page.length),
    element('IsTruncated', truncated),
    ...(truncated ? [element('NextContinuationToken', next)] : []),
    ...page.map(contents),
  ];
  return xmlReply('ListBucketResult', fields.join(''));
};
