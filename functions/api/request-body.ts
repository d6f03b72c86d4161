import { DomainError } from '../domain/errors.ts';
import type { BodyFields, RequestBody } from './body-fields.ts';
import { readFormBody } from './form-body.ts';
import { readJsonBody } from './json-body.ts';

/** The fields of a JSON or multipart body; nothing after this knows which it was. */
export const readBody = async (contentType: string | undefined, body: RequestBody): Promise<BodyFields> => {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return readJsonBody(body);
  if (mediaType === 'multipart/form-data') return readFormBody(contentType ?? '', body);
  throw new DomainError(
    'unsupported_media_type',
    'The content-type header must be application/json or multipart/form-data.',
  );
};
