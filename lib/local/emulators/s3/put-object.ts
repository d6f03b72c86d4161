import { checksumHeader } from './checksums.ts';
import { quoted } from './object-store.ts';
import type { ObjectCall, Operation } from './operation.ts';
import { receiveBody } from './receive-body.ts';
import { storedHeaders } from './stored-headers.ts';

export const putObject: Operation<ObjectCall> = async (call) => {
  const { request, body, bucket, key, objects, blobs } = call;
  const { name, filled } = await blobs.write((write) => receiveBody(request, body, write));
  const { md5: etag, size, checksum } = filled;
  const checksums = checksum
    ? { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' }
    : {};
  const headers = { ...storedHeaders(request.headers), ...checksums };
  const object = { key, etag, size, modified: Date.now(), headers, blobs: [{ name, size }] };
  try {
    await objects.put(bucket, object);
  } catch (error) {
    await blobs.remove(object.blobs);
    throw error;
  }
  return { status: 200, headers: { etag: quoted(etag), ...checksums } };
};
