import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { s3Files, s3Previews } from '../files/adapters/s3-files.ts';
import { getFilePreview } from '../files/api/endpoints.ts';
import { logger, streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { dynamoClient, s3Client } from '../platform/aws/aws-clients.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { shrinkImage } from './adapters/convert-image.ts';
import { previewImage } from './usecases/preview-image.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const { KEY_TABLE, FILE_TABLE, MEDIA_BUCKET } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const s3 = s3Client();
const dependencies = {
  files: { find: findRegisteredFile(client, FILE_TABLE) },
  objects: s3Files(s3, MEDIA_BUCKET),
  previews: s3Previews(s3, MEDIA_BUCKET),
  shrink: shrinkImage,
  logger,
  now: Date.now,
};

/** Streamed, because the gateway sends other responses as text. */
export const handler = streamedEndpoint(getFilePreview, client, KEY_TABLE, async ({ caller, path }) => {
  const { bytes, seconds } = await previewImage(dependencies, caller.account, path.file_id);
  return {
    status: 200,
    headers: {
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'cache-control': `private, max-age=${seconds}, immutable`,
      'x-content-type-options': 'nosniff',
    },
    chunks: [bytes],
  };
});
