import { DomainError } from '../domain/errors.ts';
import { bodyText, type RequestBody, requireUtf8 } from './body-text.ts';
import { type BodyFields, isFields } from './fields.ts';

/** Apart from `request-body.ts`, so that functions that read only JSON do not bundle the parser of forms. */

export const mediaType = (contentType = ''): string | undefined =>
  contentType.split(';')[0]?.trim().toLowerCase();

export const isJson = (contentType: string | undefined): boolean =>
  mediaType(contentType) === 'application/json';

const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The position of the closing quote, or the end of the text. */
const endOfString = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH && end - 1 - escapes >= from) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

/** True for JSON that is nested too deeply: code that walks it could overflow the stack. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Images are strings of megabytes, so strings are skipped in one step.
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
};

export const refuseBody = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_request', message, { cause });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuseBody('The request body is not valid JSON.', error);
  }
};

export const readJsonBody = (body: RequestBody): BodyFields => {
  const text = bodyText(body);
  if (text.trim() === '') throw refuseBody('The request body is empty; a JSON object is expected.');
  if (text.startsWith('\ufeff'))
    throw refuseBody('The request body starts with a byte order mark; send plain UTF-8.');
  requireUtf8(text, 'The request body');
  if (isTooDeep(text)) throw refuseBody('The request body is nested too deep.');
  const value = parse(text);
  if (!isFields(value)) throw refuseBody('The request body must be a JSON object.');
  return value;
};

/** Like `readJsonBody`, but accepts an absent body: SDKs send none if all fields are optional. */
export const readOptionalJson = (contentType: string | undefined, body: RequestBody): BodyFields =>
  body.length === 0 ? {} : readJsonContent(contentType, body);

export const readJsonContent = (contentType: string | undefined, body: RequestBody): BodyFields => {
  if (isJson(contentType)) return readJsonBody(body);
  throw new DomainError('unsupported_media_type', 'The content-type header must be application/json.');
};
