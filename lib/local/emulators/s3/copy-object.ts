import { isDeepStrictEqual } from 'node:util';
import { AwsError } from '../aws-http/aws-error.ts';
import { element } from '../aws-http/xml.ts';
import { invalidArgument, missing } from './errors.ts';
import { type ObjectCall, type Operation, xmlReply } from './operation.ts';
import { quoted, type StoredObject } from './stores.ts';
import { readTarget } from './target.ts';

/** The bytes of an object in a file of their own; undefined where it was replaced or deleted meanwhile. */
const duplicate = async ({ blobs }: ObjectCall, { blobs: parts, size }: StoredObject) => {
  const source = await blobs.read(parts, 0, size);
  if (source === undefined) return undefined;
  const { name } = await blobs.write(async (write) => {
    for await (const piece of source) await write(piece);
  });
  return { name, size };
};

/** Copies the bytes with their type and metadata; the request has no body. */
export const copyObject: Operation<ObjectCall> = async (call) => {
  const { request, bucket, key, objects, blobs, accessed } = call;
  const given = request.headers['x-amz-copy-source'] ?? '';
  const source = readTarget(given.startsWith('/') ? given : `/${given}`);
  if (source.key === '') throw invalidArgument('Invalid copy source object key');
  if (source.bucket === bucket && source.key === key)
    throw new AwsError(
      400,
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself.',
    );
  accessed.push({ action: 's3:GetObject', resource: `arn:aws:s3:::${source.bucket}/${source.key}` });
  objects.checkBucket(source.bucket);
  const original = objects.find(source.bucket, source.key);
  if (!original) throw missing(call, source);
  const blob = await duplicate(call, original);
  if (blob === undefined) {
    if (isDeepStrictEqual(objects.find(source.bucket, source.key)?.blobs, original.blobs))
      throw new Error(`the file of ${source.bucket}/${source.key} is missing`);
    return copyObject(call);
  }
  const object = { ...original, key, modified: Date.now(), blobs: [blob] };
  try {
    await objects.put(bucket, object);
  } catch (error) {
    await blobs.remove([blob]);
    throw error;
  }
  const modified = element('LastModified', new Date(object.modified).toISOString());
  return xmlReply('CopyObjectResult', `${modified}${element('ETag', quoted(object.etag))}`);
};
