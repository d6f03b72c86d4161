import { createHash } from 'node:crypto';
import { AwsError, element, elements, elementText } from '../aws-http/service.ts';
import {
  invalidArgument,
  malformedXml,
  type ObjectCall,
  type Operation,
  storedHeaders,
  writtenTags,
  xmlReply,
} from './operation.ts';
import { checksumHeader, declaredChecksum, readXml, receiveBody, runningChecksum } from './request-body.ts';
import type { Part, Upload } from './stores.ts';

const LAST_PART_NUMBER = 10_000;

const findUpload = ({ request, bucket, key, uploads }: ObjectCall): Upload =>
  uploads.find(request.query.uploadId ?? '', bucket, key);

export const createMultipartUpload: Operation<ObjectCall> = async (call) => {
  const { request, bucket, key, uploads } = call;
  const algorithm = request.headers['x-amz-checksum-algorithm'];
  if (algorithm !== undefined) runningChecksum(algorithm);
  const headers = { ...storedHeaders(request.headers), ...writtenTags(call) };
  const id = uploads.create(bucket, key, headers, algorithm);
  const reply = xmlReply(
    'InitiateMultipartUploadResult',
    element('Bucket', bucket) + element('Key', key) + element('UploadId', id),
  );
  if (algorithm === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'x-amz-checksum-algorithm': algorithm } };
};

/** S3 requires the checksum algorithm with which the upload was created. */
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
  const upload = findUpload(call);
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
  await call.uploads.abort(findUpload(call));
  return { status: 204, headers: {} };
};

const SMALLEST_PART = 5 * 1024 * 1024;

const invalidPart = (): AwsError =>
  new AwsError(
    400,
    'InvalidPart',
    'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
  );

const checkPartChecksum = (xml: string, { algorithm }: Upload, part: Part): void => {
  if (algorithm === null) return;
  const given = elementText(xml, `Checksum${algorithm.toUpperCase()}`);
  if (given === undefined) {
    const name = algorithm.toLowerCase();
    const message = `The upload was created using a ${name} checksum. The complete request must include the checksum for each part. It was missing for part ${part.number} in the request.`;
    throw new AwsError(400, 'InvalidRequest', message);
  }
  if (given !== part.checksum) throw invalidPart();
};

const chosenParts = (xml: string, upload: Upload, stored: readonly Part[]): Part[] => {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  return elements(xml, 'Part').map((partXml) => {
    const part = byNumber.get(Number(elementText(partXml, 'PartNumber')));
    if (!part || elementText(partXml, 'ETag')?.replaceAll('"', '') !== part.etag) throw invalidPart();
    checkPartChecksum(partXml, upload, part);
    return part;
  });
};

const checkParts = (parts: readonly Part[]): void => {
  if (parts.length === 0) throw malformedXml();
  if (parts.some(({ number }, at) => number <= (parts[at - 1]?.number ?? 0))) {
    throw new AwsError(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
  }
  const small = parts.slice(0, -1).find(({ size }) => size < SMALLEST_PART);
  if (small === undefined) return;
  throw new AwsError(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
    members: {
      ProposedSize: String(small.size),
      MinSizeAllowed: String(SMALLEST_PART),
      PartNumber: String(small.number),
    },
  });
};

const compositeEtag = (parts: readonly Part[]): string => {
  const digests = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')));
  return `${createHash('md5').update(digests).digest('hex')}-${parts.length}`;
};

/** The checksum of the parts' checksums. */
const compositeChecksum = ({ algorithm }: Upload, parts: readonly Part[]): Record<string, string> => {
  if (algorithm === null) return {};
  const running = runningChecksum(algorithm);
  for (const { checksum } of parts) running.update(Buffer.from(checksum ?? '', 'base64'));
  const value = `${running.base64()}-${parts.length}`;
  return { [checksumHeader(algorithm)]: value, 'x-amz-checksum-type': 'COMPOSITE' };
};

export const completeMultipartUpload: Operation<ObjectCall> = async (call) => {
  const { request, bucket, key, objects, blobs, uploads } = call;
  const xml = await readXml(call);
  const upload = findUpload(call);
  const stored = uploads.findParts(upload);
  const parts = chosenParts(xml, upload, stored);
  checkParts(parts);
  const etag = compositeEtag(parts);
  const headers = { ...upload.headers, ...compositeChecksum(upload, parts) };
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const kept = parts.map((part) => ({ name: part.blob, size: part.size }));
  const object = { key, etag, size, modified: Date.now(), headers, blobs: kept };
  // The object takes over the files of the parts, so nothing is copied.
  await objects.put(bucket, object, () => uploads.forget(findUpload(call)));
  const names = new Set(kept.map(({ name }) => name));
  await blobs.remove(
    stored.map(({ blob: name, size }) => ({ name, size })).filter(({ name }) => !names.has(name)),
  );
  const location = `http://${request.headers.host}${request.path}`;
  return xmlReply(
    'CompleteMultipartUploadResult',
    element('Location', location) +
      element('Bucket', bucket) +
      element('Key', key) +
      element('ETag', `"${etag}"`),
  );
};
