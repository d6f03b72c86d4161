import {
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { NOT_FOUND, s3Files } from '../../files/adapters/s3-file-reader.ts';
import { hasName, lean, TRANSFER_OPTIONS } from '../../platform/aws/aws-clients.ts';
import { refuseWhenThrottled } from '../../platform/aws/throttling.ts';
import { type MediaStore, MissingInput } from '../../platform/domain/ports.ts';
import { INPUT_PREFIX } from '../domain/task.ts';
import { uploadStream } from './s3-upload.ts';

export const s3Client = (): S3Client => {
  const client = lean(new S3Client(TRANSFER_OPTIONS));
  refuseWhenThrottled(client.middlewareStack, 0);
  return client;
};

export const s3Media = (client: S3Client, bucket: string): MediaStore => ({
  ...s3Files(client, bucket),

  putInput: async (key, { bytes, mimeType }) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: mimeType }));
  },

  getInput: async (key) => {
    const { Body } = await client
      .send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      .catch((error: unknown) => {
        throw hasName(error, ...NOT_FOUND)
          ? new MissingInput(`${key} was not found`, { cause: error })
          : error;
      });
    if (Body === undefined) throw new Error('S3 answered without a body');
    return Body.transformToByteArray();
  },

  putVideo: (key, video) =>
    uploadStream(client, { Bucket: bucket, Key: key, ContentType: 'video/mp4' }, video),

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

  inputs: async function* () {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: INPUT_PREFIX }))
      for (const { Key, LastModified } of page.Contents ?? [])
        if (Key !== undefined && LastModified !== undefined)
          yield { key: Key, storedAt: LastModified.getTime() };
  },
});
