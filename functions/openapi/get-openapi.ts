import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { COMPRESSED_DOCUMENT } from './compressed-document.ts';

const DOCUMENT = brotliDecompressSync(Buffer.from(COMPRESSED_DOCUMENT, 'base64')).toString();

export const ENVIRONMENT = {};

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
