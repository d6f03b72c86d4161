import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { VideoLinks } from '../../platform/domain/ports.ts';

const LIFETIME_SECONDS = 300;

/** The method is part of what is signed, so that each has an address of its own. */
export const s3Links = (client: S3Client, bucket: string): VideoLinks => ({
  sign: (key, fileName, method) => {
    const input = {
      Bucket: bucket,
      Key: key,
      ResponseContentType: 'video/mp4',
      ResponseContentDisposition: `attachment; filename="${fileName}"`,
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: LIFETIME_SECONDS });
  },
});
