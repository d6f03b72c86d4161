import { S3Client } from '@aws-sdk/client-s3';
import { lean, refuseWhenThrottled, TRANSFER_OPTIONS } from './aws-clients.ts';

export const s3Client = (): S3Client => {
  const client = lean(new S3Client(TRANSFER_OPTIONS));
  refuseWhenThrottled(client.middlewareStack, 0);
  return client;
};

/** Without permission to list the bucket, S3 answers AccessDenied for a missing key. */
export const NOT_FOUND = ['NoSuchKey', 'AccessDenied'] as const;
