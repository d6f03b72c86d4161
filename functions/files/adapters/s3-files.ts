import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { hasName } from '../../platform/aws/aws-clients.ts';
import type { FileStore } from '../domain/file-ports.ts';
import { FILE_EXPIRY_METADATA, fileKey, removedFileKey, type StoredFile } from '../domain/files.ts';

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
