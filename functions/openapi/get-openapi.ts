import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NAMES } from '../catalogue/settings.ts';
import { FEATURES, readEnvironment } from '../platform/runtime/environment.ts';
import { OFFER } from '../upstream/settings.ts';
import { COMPRESSED_DOCUMENT, OPERATION_FEATURES } from './compressed-document.ts';
import { restrictDocument } from './restrict-document.ts';

export const ENVIRONMENT = { ...OFFER, ...FEATURES, ...NAMES };
const { UPSTREAMS, FEATURES: features, MODEL_NAMES } = readEnvironment(ENVIRONMENT);

const DOCUMENT = restrictDocument(
  brotliDecompressSync(Buffer.from(COMPRESSED_DOCUMENT, 'base64')).toString(),
  { upstreams: UPSTREAMS, defaults: MODEL_NAMES.defaults },
  Object.keys(OPERATION_FEATURES).filter((id) => !features.some((each) => each === OPERATION_FEATURES[id])),
);

/** Public and the same for everyone: pages of any origin may read it, and caches may keep it. */
export const handler = async ({
  httpMethod,
  requestContext,
}: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: {
    'content-type': 'application/json',
    'x-request-id': requestContext.requestId,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  },
  body: httpMethod === 'HEAD' ? '' : DOCUMENT,
});
