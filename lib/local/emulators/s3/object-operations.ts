import { isDeepStrictEqual } from 'node:util';
import { AwsError, element, type Reply } from '../aws-http/service.ts';
import {
  invalidArgument,
  missingObject,
  notImplemented,
  type ObjectCall,
  type Operation,
  preconditionFailed,
  readTags,
  readTarget,
  storedHeaders,
  TAGGING,
  writtenTags,
  xmlReply,
} from './operation.ts';
import { checksumHeader, receiveBody } from './request-body.ts';
import { quoted, type StoredObject } from './stores.ts';

/** Copies the bytes to a new file; undefined if the object was replaced or deleted meanwhile. */
const duplicate = async ({ blobs }: ObjectCall, { blobs: parts, size }: StoredObject) => {
  const source = await blobs.read(parts, 0, size);
  if (source === undefined) return undefined;
  const { name } = await blobs.write(async (write) => {
    for await (const piece of source) await write(piece);
  });
  return { name, size };
};

/** Content type and metadata of a copy are those of the source, unless the request replaces them. Tags must be replaced. */
const copiedHeaders = (call: ObjectCall, original: StoredObject): Record<string, string> => {
  const { request } = call;
  const { [TAGGING]: tags, ...headers } = original.headers;
  const isReplaced = (directive: string) => request.headers[directive] === 'REPLACE';
  const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-checksum-'));
  const described = isReplaced('x-amz-metadata-directive')
    ? { ...storedHeaders(request.headers), ...Object.fromEntries(kept) }
    : headers;
  if (isReplaced('x-amz-tagging-directive')) return { ...described, ...writtenTags(call) };
  if (tags !== undefined || request.headers[TAGGING] !== undefined) throw notImplemented();
  return described;
};

const copyObject: Operation<ObjectCall> = async (call) => {
  const { request, bucket, key, objects, blobs, accessed } = call;
  const given = request.headers['x-amz-copy-source'] ?? '';
  const source = readTarget(given.startsWith('/') ? given : `/${given}`);
  if (source.key === '') throw invalidArgument('Invalid copy source object key');
  const changesNothing = request.headers['x-amz-metadata-directive'] !== 'REPLACE';
  if (source.bucket === bucket && source.key === key && changesNothing)
    throw new AwsError(
      400,
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.',
    );
  accessed.push({ action: 's3:GetObject', resource: `arn:aws:s3:::${source.bucket}/${source.key}` });
  objects.checkBucket(source.bucket);
  const original = objects.find(source.bucket, source.key);
  if (!original) throw missingObject(call, source);
  const headers = copiedHeaders(call, original);
  const blob = await duplicate(call, original);
  if (blob === undefined) {
    if (isDeepStrictEqual(objects.find(source.bucket, source.key)?.blobs, original.blobs))
      throw new Error(`the file of ${source.bucket}/${source.key} is missing`);
    return copyObject(call);
  }
  const object = { ...original, key, headers, modified: Date.now(), blobs: [blob] };
  try {
    await objects.put(bucket, object);
  } catch (error) {
    await blobs.remove([blob]);
    throw error;
  }
  const modified = element('LastModified', new Date(object.modified).toISOString());
  return xmlReply('CopyObjectResult', `${modified}${element('ETag', quoted(object.etag))}`);
};

const unsatisfiable = (range: string, size: number): AwsError =>
  new AwsError(416, 'InvalidRange', 'The requested range is not satisfiable', {
    members: { RangeRequested: range, ActualObjectSize: String(size) },
    headers: { 'content-range': `bytes */${size}` },
  });

/** The half-open range of a Range header; undefined if S3 ignores the header. */
const readRange = (
  range: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (range === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw unsatisfiable(range, size);
    return { start: Math.max(size - Number(last), 0), end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(range, size);
  return { start, end };
};

const OVERRIDES = [
  'content-type',
  'content-language',
  'expires',
  'cache-control',
  'content-disposition',
  'content-encoding',
] as const;

const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const overrides = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    OVERRIDES.flatMap((name) => {
      const value = query[`response-${name}`];
      if (value === undefined) return [];
      if (!isHeaderValue(value))
        throw invalidArgument('Header value cannot be represented using ISO-8859-1.');
      return [[name, value]];
    }),
  );

const objectHeaders = (
  object: StoredObject,
  { request }: ObjectCall,
  whole: boolean,
): Record<string, string> => {
  const withChecksum = whole && request.headers['x-amz-checksum-mode'] === 'ENABLED';
  const stored = Object.entries(object.headers).filter(
    ([name]) => name !== TAGGING && (withChecksum || !name.startsWith('x-amz-checksum-')),
  );
  return {
    ...Object.fromEntries(stored),
    etag: quoted(object.etag),
    'last-modified': new Date(object.modified).toUTCString(),
    'accept-ranges': 'bytes',
    ...overrides(request.query),
  };
};

const matches = (condition: string, { etag }: StoredObject): boolean =>
  condition.split(',').some((each) => ['*', etag, quoted(etag)].includes(each.trim()));

type Selection = {
  readonly reply: Reply;
  readonly object: StoredObject;
  readonly start: number;
  readonly end: number;
};

const select = (call: ObjectCall): Selection => {
  const { request, bucket, key, objects } = call;
  const object = objects.find(bucket, key);
  if (!object) throw missingObject(call, call);
  const { 'if-none-match': unless, 'if-match': only } = request.headers;
  if (only !== undefined && !matches(only, object)) throw preconditionFailed('If-Match');
  if (unless !== undefined && matches(unless, object)) {
    const headers = objectHeaders(object, call, false);
    return { reply: { status: 304, headers }, object, start: 0, end: 0 };
  }
  const range = readRange(request.headers.range, object.size);
  const { start, end } = range ?? { start: 0, end: object.size };
  const headers = {
    ...objectHeaders(object, call, range === undefined),
    'content-length': String(end - start),
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${object.size}` } : {}),
  };
  return { reply: { status: range ? 206 : 200, headers }, object, start, end };
};

export const getObject: Operation<ObjectCall> = async (call) => {
  const { reply, object, start, end } = select(call);
  if (start === end) return reply;
  const body = await call.blobs.read(object.blobs, start, end);
  if (body) return { ...reply, body };
  const { bucket, key, objects } = call;
  if (isDeepStrictEqual(objects.find(bucket, key)?.blobs, object.blobs)) {
    throw new Error(`the file of ${bucket}/${key} is missing`);
  }
  // The object was replaced or deleted after it was found.
  return getObject(call);
};

/** Returns a check for If-None-Match, of which S3 supports only `*`. */
const writeCondition = ({ request, bucket, key, objects }: ObjectCall): (() => void) => {
  const unless = request.headers['if-none-match'];
  if (unless !== undefined && unless !== '*') throw notImplemented();
  return () => {
    if (unless !== undefined && objects.find(bucket, key)) throw preconditionFailed('If-None-Match');
  };
};

export const headObject: Operation<ObjectCall> = async (call) => select(call).reply;

export const putObject: Operation<ObjectCall> = async (call) => {
  const { request, body, bucket, key, objects, blobs } = call;
  if ('x-amz-copy-source' in request.headers) return copyObject(call);
  const condition = writeCondition(call);
  condition();
  const tags = writtenTags(call);
  const { name, filled } = await blobs.write((write) => receiveBody(request, body, write));
  const { md5: etag, size, checksum } = filled;
  const checksums = checksum
    ? { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' }
    : {};
  const headers = { ...storedHeaders(request.headers), ...checksums, ...tags };
  const object = { key, etag, size, modified: Date.now(), headers, blobs: [{ name, size }] };
  try {
    await objects.put(bucket, object, condition);
  } catch (error) {
    await blobs.remove(object.blobs);
    throw error;
  }
  return { status: 200, headers: { etag: quoted(etag), ...checksums } };
};

export const getTags: Operation<ObjectCall> = async (call) => {
  const object = call.objects.find(call.bucket, call.key);
  if (!object) throw missingObject(call, call);
  const tags = Array.from(
    readTags(object.headers),
    ([key, value]) => `<Tag>${element('Key', key)}${element('Value', value)}</Tag>`,
  );
  return xmlReply('Tagging', `<TagSet>${tags.join('')}</TagSet>`);
};

export const deleteTags: Operation<ObjectCall> = async (call) => {
  const { bucket, key, objects } = call;
  const object = objects.find(bucket, key);
  if (!object) throw missingObject(call, call);
  const { [TAGGING]: _removed, ...headers } = object.headers;
  objects.describe(bucket, key, headers);
  return { status: 204, headers: {} };
};
