import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { hasName } from '../../platform/aws/aws-clients.ts';
import type { FileReader, OpenedFile } from '../../platform/domain/ports.ts';
import { FILE_EXPIRY_METADATA } from '../domain/files.ts';

/** To whoever may not list the bucket, S3 does not say that a key is missing: it denies access. */
export const NOT_FOUND = ['NoSuchKey', 'AccessDenied'] as const;

/** S3 has no range of nothing, so that it names none of an empty file. */
const EMPTY: OpenedFile = {
  bytes: 0,
  expiresAt: Number.POSITIVE_INFINITY,
  read: async () => new Uint8Array(0),
  leave: () => {},
};

/** `bytes 0-99/1234`: the length of the whole is after the slash. */
const wholeLength = (contentRange: string | undefined, length: number | undefined): number =>
  contentRange === undefined ? (length ?? 0) : Number(contentRange.slice(contentRange.indexOf('/') + 1));

export const s3Files = (client: S3Client, bucket: string): FileReader => ({
  openFile: async (key, firstBytes) => {
    const range = firstBytes === undefined ? {} : { Range: `bytes=0-${firstBytes - 1}` };
    try {
      const { Body, ContentRange, ContentLength, Metadata } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, ...range }),
      );
      if (Body === undefined) throw new Error('S3 answered without a body');
      return {
        bytes: wholeLength(ContentRange, ContentLength),
        // What has no such time was not stored as a file, and cannot be used as one.
        expiresAt: Number(Metadata?.[FILE_EXPIRY_METADATA] ?? 0),
        read: () => Body.transformToByteArray(),
        leave: () => void ('destroy' in Body && Body.destroy()),
      };
    } catch (error) {
      if (hasName(error, ...NOT_FOUND)) return undefined;
      if (hasName(error, 'InvalidRange')) return EMPTY;
      throw error;
    }
  },
});
