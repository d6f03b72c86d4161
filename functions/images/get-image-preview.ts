import { FILE_ENDPOINTS } from '../files/api/endpoints.ts';
import { client, streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { imagePreviews } from './image-previews.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const environment = readEnvironment(ENVIRONMENT);
const preview = imagePreviews(client, environment);

/** Streamed, because the gateway sends other responses as text. */
export const handler = streamedEndpoint(FILE_ENDPOINTS.getFilePreview, async ({ caller, path }) => {
  const { bytes, seconds } = await preview(caller.account, path.file_id);
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
