import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ContentLinks } from '../domain/share.ts';

/** The signature covers the method, so GET and HEAD have different URLs. */
export const s3ContentLinks = (client: S3Client, bucket: string): ContentLinks => ({
  sign: ({ key, contentType, fileName }, { disposition, method, seconds }) => {
    const input = {
      Bucket: bucket,
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: `${disposition}; filename="${fileName}"`,
      // Nothing is left in a shared cache after the link was revoked.
      ResponseCacheControl: 'private, no-store',
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: seconds });
  },
});
