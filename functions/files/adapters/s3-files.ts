import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { hasName, prepareClient, TRANSFER_OPTIONS } from '../../platform/aws/aws-clients.ts';
import { copySource, keepObject, LIMITED_TAG, limitObject } from '../../platform/aws/retention-tag.ts';
import { SIGNED_URL_SECONDS } from '../../platform/domain/durations.ts';
import { contentDisposition } from '../../platform/domain/file-names.ts';
import { isKept } from '../../platform/domain/retention.ts';
import { fileKey, previewKey, removedFileKey } from '../domain/file-keys.ts';
import {
  FILE_EXPIRY_METADATA,
  type FileReader,
  type FileStore,
  type OpenedFile,
  type PreviewStore,
  type StoredFile,
  UPLOAD_LIFETIME,
} from '../domain/files.ts';
import { type ChunkStore, chunkKey } from '../domain/uploads.ts';

// Separate functions, so that a bundle contains only the calls that it makes.

const objectLocation = (bucket: string, { account, id }: Pick<StoredFile, 'account' | 'id'>) => ({
  Bucket: bucket,
  Key: fileKey(account, id),
});
const toMetadata = ({ expiresAt }: StoredFile) => ({ [FILE_EXPIRY_METADATA]: String(expiresAt) });

export const putFile =
  (client: S3Client, bucket: string): FileStore['put'] =>
  async (file, bytes) => {
    await client.send(
      new PutObjectCommand({
        ...objectLocation(bucket, file),
        Body: bytes,
        ContentType: file.mimeType,
        Metadata: toMetadata(file),
        ...LIMITED_TAG,
      }),
    );
  };

export const retainFile =
  (client: S3Client, bucket: string): FileStore['retain'] =>
  (file) => {
    const place = objectLocation(bucket, file);
    return isKept(file)
      ? keepObject(client, place)
      : limitObject(client, place, { ContentType: file.mimeType, Metadata: toMetadata(file) });
  };

export const fileHasArrived =
  (client: S3Client, bucket: string): FileStore['has'] =>
  async (file) => {
    try {
      await client.send(new HeadObjectCommand(objectLocation(bucket, file)));
      return true;
    } catch (error) {
      // The response to HEAD has no body and therefore no error code.
      if (hasName(error, 'NotFound')) return false;
      throw error;
    }
  };

export const discardFile =
  (client: S3Client, bucket: string): FileStore['discard'] =>
  async (file) => {
    const { Key } = objectLocation(bucket, file);
    await deleteObjects(client, bucket, [Key, removedFileKey(Key), previewKey(Key)]);
  };

const deleteObjects = async (client: S3Client, bucket: string, keys: readonly string[]): Promise<void> => {
  const Objects = keys.map((Key) => ({ Key }));
  const { Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
  );
  if (Errors?.[0] !== undefined) throw new Error(`S3 could not remove an object: ${Errors[0].Code}`);
};

export const setFileAside =
  (client: S3Client, bucket: string): FileStore['setAside'] =>
  async (file) => {
    const { Bucket, Key } = objectLocation(bucket, file);
    const source = copySource({ Bucket, Key });
    try {
      await client.send(
        new CopyObjectCommand({
          Bucket,
          Key: removedFileKey(Key),
          CopySource: source,
          // Removed files end by their prefix, without a tag.
          TaggingDirective: 'REPLACE',
        }),
      );
    } catch (error) {
      // A file that never arrived has no bytes to keep.
      if (!hasName(error, 'NoSuchKey')) throw error;
    }
    // The signed URL accepts bytes only if there is no object.
    await client.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array(0), ...LIMITED_TAG }));
  };

/** Everything is signed as a header, because S3 does not read a checksum from the query. */
export const signFileUpload = (bucket: string): FileStore['signUpload'] => {
  // Otherwise the SDK signs the checksum of an empty body.
  const client = prepareClient(
    new S3Client({ ...TRANSFER_OPTIONS, requestChecksumCalculation: 'WHEN_REQUIRED' }),
  );
  return async (file, sha256) => {
    const metadata = toMetadata(file);
    const headers = {
      'content-type': file.mimeType,
      // S3 then does not replace bytes that have arrived.
      'if-none-match': '*',
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
      'x-amz-tagging': LIMITED_TAG.Tagging,
      ...(sha256 === undefined ? {} : { 'x-amz-checksum-sha256': sha256 }),
    };
    const command = new PutObjectCommand({
      ...objectLocation(bucket, file),
      ContentLength: file.bytes,
      ContentType: file.mimeType,
      IfNoneMatch: '*',
      Metadata: metadata,
      ...LIMITED_TAG,
      ChecksumSHA256: sha256,
    });
    const url = await getSignedUrl(client, command, {
      expiresIn: UPLOAD_LIFETIME / 1000,
      signableHeaders: new Set(['content-type']),
      unhoistableHeaders: new Set(Object.keys(headers)),
    });
    return { url, headers, expiresAt: file.createdAt + UPLOAD_LIFETIME };
  };
};

export const signFileDownload =
  (client: S3Client, bucket: string): FileStore['signDownload'] =>
  (file, method) => {
    const input = {
      ...objectLocation(bucket, file),
      ResponseContentType: file.mimeType,
      ResponseContentDisposition: contentDisposition(file.name),
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: SIGNED_URL_SECONDS });
  };

/** S3 rejects a range of an empty object. */
const EMPTY_FILE: OpenedFile = {
  bytes: 0,
  expiresAt: Number.POSITIVE_INFINITY,
  read: async () => new Uint8Array(0),
  close: () => {},
};

/** `bytes 0-99/1234`: the whole length is after the slash. */
const wholeLength = (contentRange: string | undefined, length: number | undefined): number =>
  contentRange === undefined ? (length ?? 0) : Number(contentRange.slice(contentRange.indexOf('/') + 1));

export const s3Files = (client: S3Client, bucket: string): FileReader => ({
  openFile: async (file, firstBytes) => {
    const range = firstBytes === undefined ? {} : { Range: `bytes=0-${firstBytes - 1}` };
    try {
      const { Body, ContentRange, ContentLength, Metadata } = await client.send(
        new GetObjectCommand({ ...objectLocation(bucket, file), ...range }),
      );
      if (Body === undefined) throw new Error('S3 answered without a body');
      return {
        bytes: wholeLength(ContentRange, ContentLength),
        // An object without this metadata was not stored as a file, and is treated as expired.
        expiresAt: Number(Metadata?.[FILE_EXPIRY_METADATA] ?? 0),
        read: () => Body.transformToByteArray(),
        close: () => void ('destroy' in Body && Body.destroy()),
      };
    } catch (error) {
      if (hasName(error, 'NoSuchKey')) return undefined;
      if (hasName(error, 'InvalidRange')) return EMPTY_FILE;
      throw error;
    }
  },
});

export const s3Previews = (client: S3Client, bucket: string): PreviewStore => ({
  find: async ({ account, id }) => {
    const Key = previewKey(fileKey(account, id));
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
      return await Body?.transformToByteArray();
    } catch (error) {
      if (hasName(error, 'NoSuchKey')) return undefined;
      throw error;
    }
  },

  put: async ({ account, id }, bytes) => {
    const Key = previewKey(fileKey(account, id));
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: bytes }));
  },
});

/** Parts of an S3 multipart upload would need at least 5 MB each, which is more than a request can have. */
export const s3Chunks = (client: S3Client, bucket: string): ChunkStore => ({
  put: async (file, chunk, bytes) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: chunkKey(file, chunk), Body: bytes }));
  },

  read: async (file, chunk) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: chunkKey(file, chunk) }));
    if (Body === undefined) throw new Error('S3 answered without a body');
    return Body.transformToByteArray();
  },

  discard: async (file, chunks) => {
    const keys = chunks.map((chunk) => chunkKey(file, chunk));
    if (keys.length > 0) await deleteObjects(client, bucket, keys);
  },
});
