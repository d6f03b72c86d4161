import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { encode, forMethod, ok } from '../platform/runtime/http.ts';
import { openApiDocument } from './document.ts';

/** Public and the same for all: tools in a browser may read it too. */
const response = ok(openApiDocument(), {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
});

export const ENVIRONMENT = {};

export const handler = async ({
  httpMethod,
  requestContext,
}: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  forMethod(httpMethod, encode(response, requestContext.requestId));
