import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Disposition, SharedContent } from '../domain/share.ts';

type LinkTerms = {
  readonly disposition: Disposition;
  readonly method: 'GET' | 'HEAD';
  readonly seconds: number;
};

/** A URL from which anyone can read the content for a short time. The signature covers the method. */
export const signContent =
  (client: S3Client, bucket: string) =>
  (
    { key, contentType, fileName }: SharedContent,
    { disposition, method, seconds }: LinkTerms,
  ): Promise<string> => {
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
  };
