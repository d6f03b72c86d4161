import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { FEATURES, readEnvironment } from '../platform/runtime/environment.ts';
import { COMPRESSED_DOCUMENT, OPERATION_FEATURES } from './compressed-document.ts';
import { withoutOperations } from './without-operations.ts';

export const ENVIRONMENT = FEATURES;
const { FEATURES: features } = readEnvironment(ENVIRONMENT);

/** Describes the service. `GET /v1/models` says which models and options a deployment offers. */
const DOCUMENT = withoutOperations(
  brotliDecompressSync(Buffer.from(COMPRESSED_DOCUMENT, 'base64')).toString(),
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
