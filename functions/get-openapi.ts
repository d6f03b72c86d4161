import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { openApiDocument } from './api/openapi/document.ts';
import { encode, ok } from './runtime/http.ts';

/** Public and the same for all: tools in a browser may read it too. */
const response = ok(openApiDocument(), {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
});

export const handler = async ({ requestContext }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  encode(response, requestContext.requestId);
