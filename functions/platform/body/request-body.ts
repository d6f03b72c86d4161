import busboy from 'busboy';
import { DomainError } from '../domain/errors.ts';
import { MAX_IMAGE_BYTES } from '../domain/models.ts';
import {
  type BodyFields,
  bodyBytes,
  bodyText,
  FilePart,
  fieldOf,
  isFields,
  nestFields,
  type RequestBody,
  requireUtf8,
} from './parse.ts';

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

/** Like `readJsonBody`, but accepts an absent body: SDKs send none if all fields are optional. */
export const readOptionalJson = (contentType: string | undefined, body: RequestBody): BodyFields =>
  body.length === 0 ? {} : readJsonContent(contentType, body);

/** Reads the body of an endpoint that accepts only JSON. */
export const readJsonContent = (contentType: string | undefined, body: RequestBody): BodyFields => {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return readJsonBody(body);
  throw new DomainError('unsupported_media_type', 'The content-type header must be application/json.');
};

const MAX_NAME_LENGTH = 200;
const LIMITS = {
  fieldSize: 8_000_000,
  fields: 100,
  fileSize: MAX_IMAGE_BYTES + 1,
  files: 10,
  parts: 110,
  headerPairs: 20,
};

const openParser = (contentType: string): busboy.Busboy => {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw refuse('The multipart form has no usable boundary in its content-type header.', error);
  }
};

/** Reads all parts of a form. Exceeding a limit is an error, although busboy continues. */
const readParts = (contentType: string, body: Uint8Array): Promise<(readonly [string, unknown])[]> =>
  new Promise((resolve, reject) => {
    const parser = openParser(contentType);
    const parts: (readonly [string, unknown])[] = [];
    const fail = (message: string, cause?: unknown): void => reject(refuse(message, cause));

    // A part can lack a name, although busboy's types do not say so.
    parser.on('field', (name: string | undefined, value, info) => {
      if (name === undefined) return fail('A part of the form has no name.');
      if (info.valueTruncated) fail(`The form field '${name}' is longer than ${LIMITS.fieldSize} bytes.`);
      parts.push([name, value]);
    });
    parser.on('file', (name: string | undefined, stream, info) => {
      // An unhandled error event would end the process, even after the form was refused.
      stream.on('error', (error) => fail('The multipart form is truncated.', error));
      if (name === undefined) {
        stream.resume();
        return fail('A part of the form has no name.');
      }
      const chunks: Uint8Array[] = [];
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      stream.on('close', () => {
        if (stream.truncated) fail(`The file '${name}' is longer than ${MAX_IMAGE_BYTES} bytes.`);
        parts.push([name, new FilePart(Buffer.concat(chunks), info.filename)]);
      });
    });
    parser.on('partsLimit', () => fail(`The form has more than ${LIMITS.parts} parts.`));
    parser.on('fieldsLimit', () => fail(`The form has more than ${LIMITS.fields} fields.`));
    parser.on('filesLimit', () => fail(`The form has more than ${LIMITS.files} files.`));
    parser.on('error', (error) => fail('The multipart form is malformed or truncated.', error));
    parser.on('close', () => resolve(parts));
    parser.end(body);
  });

const parsedMetadata = (text: string): BodyFields => {
  try {
    return readJsonBody(text);
  } catch (error) {
    throw new DomainError('invalid_request', 'The form field metadata must hold a JSON object.', {
      param: 'metadata',
      cause: error,
    });
  }
};

/** A form may send `metadata` as one JSON field, beside or instead of `metadata[…]` fields. */
const withParsedMetadata = (fields: BodyFields): BodyFields => {
  const given = fieldOf(fields, 'metadata');
  const pieces = Array.isArray(given) ? given : [given];
  if (!pieces.some((piece) => typeof piece === 'string')) return fields;
  const objects = pieces.map((piece) => (typeof piece === 'string' ? parsedMetadata(piece) : piece));
  return { ...fields, metadata: objects.length === 1 ? objects[0] : Object.assign({}, ...objects) };
};

export const readFormBody = async (contentType: string, body: RequestBody): Promise<BodyFields> => {
  const bytes = bodyBytes(body);
  if (bytes.length === 0) throw refuse('The multipart form is empty.');
  const parts = await readParts(contentType, bytes);
  if (parts.length === 0) throw refuse('The multipart form has no fields.');
  for (const [name, value] of parts) {
    // Busboy's limit on the length of names does not apply to multipart forms.
    if (name.length > MAX_NAME_LENGTH)
      throw refuse(`A form field's name is longer than ${MAX_NAME_LENGTH} characters.`);
    requireUtf8(name, "A form field's name");
    if (typeof value === 'string') requireUtf8(value, `The form field '${name}'`);
  }
  return withParsedMetadata(nestFields(parts));
};

const mediaType = (contentType = ''): string | undefined => contentType.split(';')[0]?.trim().toLowerCase();

export const isJson = (contentType: string | undefined): boolean =>
  mediaType(contentType) === 'application/json';

/** Reads the fields of a JSON or multipart body; callers need not know which it was. */
export const readBody = async (contentType: string | undefined, body: RequestBody): Promise<BodyFields> => {
  if (isJson(contentType)) return readJsonBody(body);
  if (mediaType(contentType) === 'multipart/form-data') return readFormBody(contentType ?? '', body);
  throw new DomainError(
    'unsupported_media_type',
    'The content-type header must be application/json or multipart/form-data.',
  );
};
