import { randomUUID } from 'node:crypto';
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { FILE_EXPIRY_METADATA, fileKey, removedFileKey } from '../../functions/domain/files.ts';
import type { ServiceAddress } from './service.ts';

type Place = Pick<ServiceAddress, 'operator' | 'mediaBucket'>;

/** Puts a file where an account's files lie, and returns its id. */
export const putFile = async (
  { operator, mediaBucket }: Place,
  account: string,
  bytes: Uint8Array,
  expiresAt = Date.now() + 3_600_000,
): Promise<string> => {
  const id = `file_${randomUUID().replaceAll('-', '')}`;
  await new S3Client(operator).send(
    new PutObjectCommand({
      Bucket: mediaBucket,
      Key: fileKey(account, id),
      Body: bytes,
      Metadata: { [FILE_EXPIRY_METADATA]: String(expiresAt) },
    }),
  );
  return id;
};

/** Takes a file away as its owner does: it waits elsewhere for the tasks that were accepted with it. */
export const removeFile = async (
  { operator, mediaBucket: Bucket }: Place,
  account: string,
  id: string,
): Promise<void> => {
  const s3 = new S3Client(operator);
  const Key = fileKey(account, id);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  if (Body === undefined) throw new Error(`${id} has no body`);
  const bytes = await Body.transformToByteArray();
  await s3.send(new PutObjectCommand({ Bucket, Key: removedFileKey(Key), Body: bytes }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }));
};
