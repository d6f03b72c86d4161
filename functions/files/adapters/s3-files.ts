import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { hasName, lean, TRANSFER_OPTIONS } from '../../platform/aws/aws-clients.ts';
import { NOT_FOUND } from '../../platform/aws/s3.ts';
import {
  FILE_EXPIRY_METADATA,
  type FileReader,
  type FileStore,
  fileKey,
  type OpenedFile,
  removedFileKey,
  type StoredFile,
  UPLOAD_LIFETIME,
} from '../domain/files.ts';

/** Each is a function of its own, so that a bundle holds the calls that it makes and no others. */

export const placeOf = (bucket: string, { account, id }: StoredFile) => ({
  Bucket: bucket,
  Key: fileKey(account, id),
});
export const metadataOf = ({ expiresAt }: StoredFile) => ({ [FILE_EXPIRY_METADATA]: String(expiresAt) });

export const putFile =
  (client: S3Client, bucket: string): FileStore['put'] =>
  async (file, bytes) => {
    await client.send(
      new PutObjectCommand({
        ...placeOf(bucket, file),
        Body: bytes,
        ContentType: file.mimeType,
        Metadata: metadataOf(file),
      }),
    );
  };

/** To whoever may not list the bucket, S3 does not say that a key is missing: it denies access, here without a word. */
const NOT_THERE = [403, 404];

export const fileHasArrived =
  (client: S3Client, bucket: string): FileStore['has'] =>
  async (file) => {
    try {
      await client.send(new HeadObjectCommand(placeOf(bucket, file)));
      return true;
    } catch (error) {
      if (error instanceof S3ServiceException && NOT_THERE.includes(error.$metadata.httpStatusCode ?? 0))
        return false;
      throw error;
    }
  };

export const discardFile =
  (client: S3Client, bucket: string): FileStore['discard'] =>
  async (file) => {
    const { Bucket, Key } = placeOf(bucket, file);
    const Objects = [{ Key }, { Key: removedFileKey(Key) }];
    const { Errors } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.[0] !== undefined) throw new Error(`S3 could not remove a file: ${Errors[0].Code}`);
  };

export const setFileAside =
  (client: S3Client, bucket: string): FileStore['setAside'] =>
  async (file) => {
    const { Bucket, Key } = placeOf(bucket, file);
    const source = [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/');
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key: removedFileKey(Key), CopySource: source }));
    } catch (error) {
      // A file that never arrived has no bytes to keep.
      if (!hasName(error, 'NoSuchKey', 'AccessDenied')) throw error;
    }
    // The signed address takes bytes only where there is no object.
    await client.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array(0) }));
  };

const LINK_SECONDS = 300;

/** What is signed must be sent as it is; S3 reads a checksum from no query, so that all of it stays in headers. */
export const signFileUpload = (bucket: string): FileStore['signUpload'] => {
  // Else the SDK would sign the checksum of the body that it does not have.
  const client = lean(new S3Client({ ...TRANSFER_OPTIONS, requestChecksumCalculation: 'WHEN_REQUIRED' }));
  return async (file, sha256) => {
    const metadata = metadataOf(file);
    const headers = {
      'content-type': file.mimeType,
      // S3 then refuses to replace what has arrived.
      'if-none-match': '*',
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
      ...(sha256 === undefined ? {} : { 'x-amz-checksum-sha256': sha256 }),
    };
    const command = new PutObjectCommand({
      ...placeOf(bucket, file),
      ContentLength: file.bytes,
      ContentType: file.mimeType,
      IfNoneMatch: '*',
      Metadata: metadata,
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

/** Quoted for clients of plain ASCII, and exact for all others. */
const disposition = (name: string): string => {
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')}"; filename*=UTF-8''${exact}`;
};

export const signFileDownload =
  (client: S3Client, bucket: string): FileStore['signDownload'] =>
  (file, method) => {
    const input = {
      ...placeOf(bucket, file),
      ResponseContentType: file.mimeType,
      ResponseContentDisposition: disposition(file.name),
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
  };

/** S3 has no range of nothing, so that it names none of an empty file. */
const EMPTY: OpenedFile = {
  bytes: 0,
  expiresAt: Number.POSITIVE_INFINITY,
  read: async () => new Uint8Array(0),
  leave: () => {},
};

/** `bytes 0-99/1234`: the length of the whole is after the slash. */
const wholeLength = (contentRange: string | undefined, length: number | undefined): number =>
  contentRange === undefined ? (length ?? 0) : Number(contentRange.slice(contentRange.indexOf('/') + 1));

export const s3Files = (client: S3Client, bucket: string): FileReader => ({
  openFile: async (key, firstBytes) => {
    const range = firstBytes === undefined ? {} : { Range: `bytes=0-${firstBytes - 1}` };
    try {
      const { Body, ContentRange, ContentLength, Metadata } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, ...range }),
      );
      if (Body === undefined) throw new Error('S3 answered without a body');
      return {
        bytes: wholeLength(ContentRange, ContentLength),
        // What has no such time was not stored as a file, and cannot be used as one.
        expiresAt: Number(Metadata?.[FILE_EXPIRY_METADATA] ?? 0),
        read: () => Body.transformToByteArray(),
        leave: () => void ('destroy' in Body && Body.destroy()),
      };
    } catch (error) {
      if (hasName(error, ...NOT_FOUND)) return undefined;
      if (hasName(error, 'InvalidRange')) return EMPTY;
      throw error;
    }
  },
});
