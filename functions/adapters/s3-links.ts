import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { VideoLinks } from '../domain/ports.ts';

const LIFETIME_SECONDS = 300;

export const s3Links = (client: S3Client, bucket: string): VideoLinks => ({
  sign: (key, fileName) =>
    getSignedUrl(
      client,
      new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentType: 'video/mp4',
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
      }),
      { expiresIn: LIFETIME_SECONDS },
    ),
});
