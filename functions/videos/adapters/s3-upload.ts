import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

type Target = { readonly Bucket: string; readonly Key: string; readonly ContentType: string };

/** Two parts are in memory at most; 10,000 of them, S3's limit, are far more than any video. */
const PART_BYTES = 8 * 1024 * 1024;

/** A part is good until the one after the next is asked for: two buffers take turns, since new ones pile up. */
async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES);
  let other: typeof part | undefined;
  let filled = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.length > 0) {
      const taken = rest.subarray(0, PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < PART_BYTES) continue;
      yield part;
      [part, other] = [other ?? new Uint8Array(PART_BYTES), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** Stores a stream of unknown length; if it throws, nothing of it is kept. */
export const uploadStream = async (
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const parts = inParts(source);
  try {
    await uploadAll(client, target, parts);
  } finally {
    // Whoever sends the file must not wait for a reader that has gone.
    await parts.return(undefined);
  }
};

const uploadAll = async (
  client: S3Client,
  target: Target,
  parts: AsyncGenerator<Uint8Array>,
): Promise<void> => {
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) {
    await client.send(
      new PutObjectCommand({ ...target, Body: first.done ? new Uint8Array(0) : first.value }),
    );
    return;
  }
  await uploadParts(client, target, chain(first.value, second.value, parts));
};

async function* chain(
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  yield* rest;
}

/** S3 compares it with what it received. CRC32, because Node computes it natively: nothing more to bundle. */
const checksumOf = (bytes: Uint8Array): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
};

const uploadParts = async (
  client: S3Client,
  target: Target,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> => {
  // Parts with checksums of an upload that named none are refused, and so is a list of parts without them.
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
  );
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const stored: CompletedPart[] = [];
    for await (const Body of parts) {
      const part = { PartNumber: stored.length + 1, ChecksumCRC32: checksumOf(Body) };
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part, Body }));
      stored.push({ ...part, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: stored } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {
      // The lifecycle rule of the bucket removes what this could not; the first error matters more.
    });
    throw error;
  }
};
