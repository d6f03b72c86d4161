import { AwsError } from '../aws-http/aws-error.ts';
import { checksumHeader } from './checksums.ts';
import { checkWritable, quoted } from './conditions.ts';
import type { ObjectCall, Operation } from './operation.ts';
import { receiveBody } from './receive-body.ts';
import { storedHeaders } from './stored-headers.ts';

export const putObject: Operation<ObjectCall> = async (call) => {
  const { request, body, bucket, key, objects, blobs } = call;
  if ('x-amz-copy-source' in request.headers) {
    throw new AwsError(501, 'NotImplemented', 'Copies are not emulated.');
  }
  checkWritable(call);
  const { name, filled } = await blobs.write((write) => receiveBody(request, body, write));
  const { md5: etag, size, checksum } = filled;
  const checksums = checksum
    ? { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' }
    : {};
  const headers = { ...storedHeaders(request.headers), ...checksums };
  const object = { key, etag, size, modified: Date.now(), headers, blobs: [{ name, size }] };
  try {
    await objects.put(bucket, object, () => checkWritable(call));
  } catch (error) {
    await blobs.remove(object.blobs);
    throw error;
  }
  return { status: 200, headers: { etag: quoted(etag), ...checksums } };
};
