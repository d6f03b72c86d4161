import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** Replaces the worker's upload: buffers the whole file, as `response.arrayBuffer()` would. */
export const uploadStream = async (
  client: S3Client,
  target: { readonly Bucket: string; readonly Key: string; readonly ContentType: string },
  source: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  await client.send(new PutObjectCommand({ ...target, Body: Buffer.concat(chunks) }));
};
