import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { nativeDialect, openAiDialect } from './api/errors.ts';
import { DomainError } from './domain/errors.ts';
import { encode, errorResponse } from './runtime/http.ts';
import { jsonLogger } from './runtime/logger.ts';

const logger = jsonLogger();
const NATIVE_FAMILY = /^\/v1beta(\/|$)/;

/** For all that no route is for: the gateway itself answers 403 to an unknown route with a Bearer key. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const started = Date.now();
  const { requestId } = event.requestContext;
  const error = new DomainError('not_found', 'There is no such endpoint.');
  const dialect = NATIVE_FAMILY.test(event.path) ? nativeDialect : openAiDialect;
  const response = encode(errorResponse(error, dialect), requestId);
  logger.info('request', {
    requestId,
    route: `${event.httpMethod} ${event.resource}`,
    status: error.row.http,
    milliseconds: Date.now() - started,
    serverError: false,
    code: error.code,
  });
  return response;
};
