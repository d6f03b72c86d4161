import { DomainError } from '../domain/errors.ts';
import { type BodyFields, bodyText, isFields, type RequestBody, requireUtf8 } from './fields.ts';
import { isTooDeep } from './json-depth.ts';

const refuse = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_request', message, { cause });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse('The request body is not valid JSON.', error);
  }
};

export const readJsonBody = (body: RequestBody): BodyFields => {
  const text = bodyText(body);
  if (text.trim() === '') throw refuse('The request body is empty; a JSON object is expected.');
  if (text.startsWith('\ufeff'))
    throw refuse('The request body starts with a byte order mark; send plain UTF-8.');
  requireUtf8(text, 'The request body');
  if (isTooDeep(text)) throw refuse('The request body is nested too deep.');
  const value = parse(text);
  if (!isFields(value)) throw refuse('The request body must be a JSON object.');
  return value;
};

/** As below, for an endpoint that needs none of the fields: SDKs then send no body at all. */
export const readOptionalJson = (contentType: string | undefined, body: RequestBody): BodyFields =>
  body.length === 0 ? {} : readJsonContent(contentType, body);

/** The body of an endpoint that takes JSON and nothing else. */
export const readJsonContent = (contentType: string | undefined, body: RequestBody): BodyFields => {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return readJsonBody(body);
  throw new DomainError('unsupported_media_type', 'The content-type header must be application/json.');
};
