import { AwsError } from '../aws-http/aws-error.ts';
import { element } from '../aws-http/xml.ts';
import { checksumHeader, declaredChecksum, runningChecksum } from './checksums.ts';
import { invalidArgument } from './errors.ts';
import { type ObjectCall, type Operation, xmlReply } from './operation.ts';
import { receiveBody } from './request-body.ts';
import { storedHeaders } from './stored-headers.ts';
import type { Upload } from './upload-store.ts';

const LAST_PART_NUMBER = 10_000;

export const uploadOf = ({ request, bucket, key, uploads }: ObjectCall): Upload =>
  uploads.find(request.query.uploadId ?? '', bucket, key);

export const createMultipartUpload: Operation<ObjectCall> = async ({ request, bucket, key, uploads }) => {
  const algorithm = request.headers['x-amz-checksum-algorithm'];
  if (algorithm !== undefined) runningChecksum(algorithm);
  const id = uploads.create(bucket, key, storedHeaders(request.headers), algorithm);
  const reply = xmlReply(
    'InitiateMultipartUploadResult',
    element('Bucket', bucket) + element('Key', key) + element('UploadId', id),
  );
  if (algorithm === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'x-amz-checksum-algorithm': algorithm } };
};

/** S3 takes parts with the checksum that the upload was created with, and with no other. */
const checkAlgorithm = (upload: Upload, headers: Readonly<Record<string, string>>): void => {
  const expected = upload.algorithm?.toLowerCase() ?? null;
  const actual = declaredChecksum(headers)?.algorithm.toLowerCase() ?? null;
  if (actual === expected) return;
  const message = `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`;
  throw new AwsError(400, 'InvalidRequest', message);
};

export const uploadPart: Operation<ObjectCall> = async (call) => {
  const { request, body, blobs, uploads } = call;
  const number = Number(request.query.partNumber);
  if (!Number.isInteger(number) || number < 1 || number > LAST_PART_NUMBER) {
    throw invalidArgument(`Part number must be an integer between 1 and ${LAST_PART_NUMBER}, inclusive`);
  }
  const upload = uploadOf(call);
  checkAlgorithm(upload, request.headers);
  const { name, filled } = await blobs.write((write) => receiveBody(request, body, write));
  const { md5: etag, size, checksum } = filled;
  const part = { number, etag, size, modified: Date.now(), checksum: checksum?.value ?? null, blob: name };
  try {
    await uploads.putPart(upload, part);
  } catch (error) {
    await blobs.remove([{ name, size }]);
    throw error;
  }
  const checksums = checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value } : {};
  return { status: 200, headers: { etag: `"${etag}"`, ...checksums } };
};

export const abortMultipartUpload: Operation<ObjectCall> = async (call) => {
  await call.uploads.abort(uploadOf(call));
  return { status: 204, headers: {} };
};
