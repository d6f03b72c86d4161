import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { lean, TRANSFER_OPTIONS } from '../../platform/aws/aws-clients.ts';
import type { FileStore } from '../domain/file-ports.ts';
import { UPLOAD_LIFETIME } from '../domain/files.ts';
import { metadataOf, placeOf } from './s3-files.ts';

const LINK_SECONDS = 300;

/** What is signed must be sent as it is; S3 reads a checksum from no query, so that all of it stays in headers. */
export const signFileUpload = (bucket: string): FileStore['signUpload'] => {
  // Else the SDK would sign the checksum of the body that it does not have.
  const client = lean(new S3Client({ ...TRANSFER_OPTIONS, requestChecksumCalculation: 'WHEN_REQUIRED' }));
  return async (file, sha256) => {
    const metadata = metadataOf(file);
    const headers = {
      'content-type': file.mimeType,
      // S3 then refuses to replace what has arrived.
      'if-none-match': '*',
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
      ...(sha256 === undefined ? {} : { 'x-amz-checksum-sha256': sha256 }),
    };
    const command = new PutObjectCommand({
      ...placeOf(bucket, file),
      ContentLength: file.bytes,
      ContentType: file.mimeType,
      IfNoneMatch: '*',
      Metadata: metadata,
      ChecksumSHA256: sha256,
    });
    const url = await getSignedUrl(client, command, {
      expiresIn: UPLOAD_LIFETIME / 1000,
      signableHeaders: new Set(['content-type']),
      unhoistableHeaders: new Set(Object.keys(headers)),
    });
    return { url, headers, expiresAt: file.createdAt + UPLOAD_LIFETIME };
  };
};

/** Quoted for clients of plain ASCII, and exact for all others. */
const disposition = (name: string): string => {
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')}"; filename*=UTF-8''${exact}`;
};

export const signFileDownload =
  (client: S3Client, bucket: string): FileStore['signDownload'] =>
  (file, method) => {
    const input = {
      ...placeOf(bucket, file),
      ResponseContentType: file.mimeType,
      ResponseContentDisposition: disposition(file.name),
    };
    const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input);
    return getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
  };
