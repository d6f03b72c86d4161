import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { hasName } from '../../platform/aws/aws-clients.ts';
import { keepObject, LIMITED_TAG, limitObject, type ObjectPlace } from '../../platform/aws/retention-tag.ts';
import { SIGNED_URL_SECONDS } from '../../platform/domain/durations.ts';
import { contentDisposition } from '../../platform/domain/file-names.ts';
import {
  INPUT_PREFIX,
  type MediaStore,
  MissingInput,
  type VideoLinks,
  type VideoRetention,
} from '../domain/media.ts';

type Target = ObjectPlace & { readonly ContentType: string; readonly Tagging: string };

/** At most two parts are in memory; S3 allows 10,000 parts, far more than any video has. */
const PART_BYTES = 8 * 1024 * 1024;

/** A part is valid until two more are requested: two buffers take turns, because new ones would fill the memory. */
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

/** Stores a stream of unknown length; if the stream throws, nothing is stored. */
const uploadStream = async (
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const parts = inParts(source);
  try {
    const [first, second] = [await parts.next(), await parts.next()];
    if (first.done || second.done) {
      const Body = first.value ?? new Uint8Array(0);
      await client.send(new PutObjectCommand({ ...target, Body }));
      return;
    }
    const all = async function* () {
      yield first.value;
      yield second.value;
      yield* parts;
    };
    await uploadParts(client, target, all());
  } finally {
    // Closes the source, so that its sender does not wait for a reader that has gone.
    await parts.return(undefined);
  }
};

/** S3 verifies it. CRC32, because Node computes it natively and nothing has to be bundled. */
const toChecksum = (bytes: Uint8Array): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
};

const uploadParts = async (
  client: S3Client,
  target: Target,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> => {
  // S3 rejects checksums of parts unless the upload declares them, and then also a list of parts without them.
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
  );
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const stored: CompletedPart[] = [];
    for await (const Body of parts) {
      const part = { PartNumber: stored.length + 1, ChecksumCRC32: toChecksum(Body) };
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part, Body }));
      stored.push({ ...part, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: stored } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {
      // The bucket's lifecycle rule removes the parts; the first error matters more.
    });
    throw error;
  }
};

const VIDEO = { ContentType: 'video/mp4' } as const;

export const s3Media = (client: S3Client, bucket: string): MediaStore => ({
  putInput: async (key, { bytes, mimeType }) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: mimeType }));
  },

  getInput: async (key) => {
    const { Body } = await client
      .send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      .catch((error: unknown) => {
        throw hasName(error, 'NoSuchKey')
          ? new MissingInput(`${key} was not found`, { cause: error })
          : error;
      });
    if (Body === undefined) throw new Error('S3 responded without a body');
    return Body.transformToByteArray();
  },

  putVideo: (key, video) =>
    uploadStream(client, { Bucket: bucket, Key: key, ...VIDEO, ...LIMITED_TAG }, video),

  remove: async (keys) => {
    if (keys.length === 0) return;
    const { Errors } = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
      }),
    );
    if (Errors !== undefined && Errors.length > 0)
      throw new Error(`S3 could not remove ${Errors.length} objects: ${Errors[0]?.Code}`);
  },

  inputsAfter: async function* (key) {
    const listing = { Bucket: bucket, Prefix: INPUT_PREFIX, StartAfter: key };
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, listing))
      yield Contents.map(({ Key }) => Key).filter((found) => found !== undefined);
  },
});

/** Not part of the store, so that a bundle contains only the calls that it makes. */
export const s3Retention = (client: S3Client, bucket: string): VideoRetention => ({
  retain: (key, isKept) => {
    const place = { Bucket: bucket, Key: key };
    return isKept ? keepObject(client, place) : limitObject(client, place, VIDEO);
  },
});

/** In Base64. Also not part of the store. */
export const videoReader =
  (client: S3Client, bucket: string) =>
  async (key: string): Promise<string> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) throw new Error('S3 responded without a body');
    return Body.transformToString('base64');
  };

/** The signature covers the method, so GET and HEAD have different URLs. */
export const s3Links = (client: S3Client, bucket: string): VideoLinks => ({
  sign: (key, fileName, method, mimeType = 'video/mp4') => {
    const input = {
      Bucket: bucket,
      Key: key,
      ResponseContentType: mimeType,
      ResponseContentDisposition: contentDisposition(fileName),
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: SIGNED_URL_SECONDS });
  },
});
