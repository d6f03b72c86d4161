import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { type ChunkStore, chunkKey } from '../domain/uploads.ts';

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
    if (chunks.length === 0) return;
    const Objects = chunks.map((chunk) => ({ Key: chunkKey(file, chunk) }));
    const { Errors } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.[0] !== undefined) throw new Error(`S3 could not remove a chunk: ${Errors[0].Code}`);
  },
});
