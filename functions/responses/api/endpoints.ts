import { declareFor } from '../../identity/api/declare-endpoint.ts';
import { type Query, readChoice } from '../../platform/api/parameters.ts';
import { invalidField } from '../../platform/domain/errors.ts';

const { DELETE, GET, POST } = declareFor('responses');

const SEQUENCE_NUMBER = /^(?:0|[1-9]\d{0,3})$/;

const readStreamQuery = (query: Query) => {
  const after = query('starting_after');
  if (after !== undefined && !SEQUENCE_NUMBER.test(after))
    throw invalidField('starting_after', 'starting_after must be a sequence number from 0 to 9999.');
  return {
    stream: readChoice(query, 'stream', ['true', 'false']) === 'true',
    startingAfter: after === undefined ? undefined : Number(after),
  };
};

export const RESPONSE_ENDPOINTS = {
  createResponse: POST('/v1/responses', 'Generate an image, Responses API format', 'member', {
    throttle: 'slow',
  }),
  getResponse: GET('/v1/responses/{response_id}', 'Get a response', 'viewer', { query: readStreamQuery }),
  deleteResponse: DELETE('/v1/responses/{response_id}', 'Delete a response and its image', 'member'),
};
