import { element } from '../aws-http/xml.ts';
import { invalidArgument } from './errors.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { type BucketCall, type Operation, xmlReply } from './operation.ts';

type Listing = {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string;
};

type Entry = { readonly name: string; readonly object: StoredObject | undefined };

/** The name that a key is listed under: itself, or what it shares with its neighbours up to the delimiter. */
const groupOf = ({ prefix, delimiter }: Listing, key: string): string | undefined => {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
};

const bytewise = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

function* entries(objects: ObjectStore, listing: Listing): Generator<Entry> {
  const { bucket, prefix, after } = listing;
  const start = bytewise(after, prefix) > 0 ? after : prefix;
  let last = after;
  for (const object of objects.iterate(bucket, start)) {
    if (!object.key.startsWith(prefix)) return;
    const group = groupOf(listing, object.key);
    const name = group ?? object.key;
    // A page may end at a group: the rest of that group is behind it.
    if (name === last || bytewise(name, after) <= 0) continue;
    last = name;
    yield { name, object: group === undefined ? object : undefined };
  }
}

const contents = ({ key, etag, size, modified }: StoredObject, encode: (text: string) => string): string => {
  const fields = [
    element('Key', encode(key)),
    element('LastModified', new Date(modified).toISOString()),
    element('ETag', `"${etag}"`),
    element('Size', size),
    element('StorageClass', 'STANDARD'),
  ];
  return `<Contents>${fields.join('')}</Contents>`;
};

const pageSize = (text: string | undefined): number => {
  if (text === undefined) return 1000;
  if (!/^\d{1,9}$/.test(text))
    throw invalidArgument('Provided max-keys not an integer or within integer range');
  return Math.min(Number(text), 1000);
};

const decodeToken = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : Buffer.from(token, 'base64url').toString('utf8');

const pageOf = (all: Generator<Entry>, limit: number): { page: Entry[]; truncated: boolean } => {
  const page: Entry[] = [];
  if (limit === 0) return { page, truncated: false };
  for (const entry of all) {
    if (page.length === limit) return { page, truncated: true };
    page.push(entry);
  }
  return { page, truncated: false };
};

export const listObjects: Operation<BucketCall> = async ({ request: { query }, bucket, objects }) => {
  const { prefix = '', delimiter = '' } = query;
  const after = decodeToken(query['continuation-token']) ?? query['start-after'] ?? '';
  const limit = pageSize(query['max-keys']);
  const encode = query['encoding-type'] === 'url' ? encodeURIComponent : (text: string) => text;
  const { page, truncated } = pageOf(entries(objects, { bucket, prefix, delimiter, after }), limit);
  const last = page.at(-1)?.name ?? '';
  const fields = [
    element('Name', bucket),
    element('Prefix', encode(prefix)),
    ...(delimiter === '' ? [] : [element('Delimiter', encode(delimiter))]),
    ...(query['encoding-type'] === 'url' ? [element('EncodingType', 'url')] : []),
    element('MaxKeys', limit),
    element('KeyCount', page.length),
    element('IsTruncated', truncated),
    ...(truncated ? [element('NextContinuationToken', Buffer.from(last).toString('base64url'))] : []),
    ...page.map(({ name, object }) =>
      object
        ? contents(object, encode)
        : `<CommonPrefixes>${element('Prefix', encode(name))}</CommonPrefixes>`,
    ),
  ];
  return xmlReply('ListBucketResult', fields.join(''));
};
