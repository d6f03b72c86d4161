import { DomainError } from '../domain/errors.ts';
import type { BodyFields, RequestBody } from './body-fields.ts';
import { readJsonBody } from './json-body.ts';

/** The body of an endpoint that takes JSON and nothing else. */
export const readJsonContent = (contentType: string | undefined, body: RequestBody): BodyFields => {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return readJsonBody(body);
  throw new DomainError('unsupported_media_type', 'The content-type header must be application/json.');
};
