import busboy from 'busboy';
import { DomainError } from '../domain/errors.ts';
import { MAX_IMAGE_BYTES } from '../domain/models.ts';
import { type BodyFields, bodyBytes, FilePart, fieldOf, type RequestBody, requireUtf8 } from './fields.ts';
import { nestFields } from './form-names.ts';
import { readJsonBody } from './json-body.ts';

const MAX_NAME_LENGTH = 200;
const LIMITS = {
  fieldSize: 8_000_000,
  fields: 100,
  fileSize: MAX_IMAGE_BYTES + 1,
  files: 10,
  parts: 110,
  headerPairs: 20,
};

const refuse = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_request', message, { cause });

const openParser = (contentType: string): busboy.Busboy => {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw refuse('The multipart form has no usable boundary in its content-type header.', error);
  }
};

/** All parts of a form, or an error: a parser limit is an error too, though busboy goes on after one. */
const readParts = (contentType: string, body: Uint8Array): Promise<(readonly [string, unknown])[]> =>
  new Promise((resolve, reject) => {
    const parser = openParser(contentType);
    const parts: (readonly [string, unknown])[] = [];
    const fail = (message: string, cause?: unknown): void => reject(refuse(message, cause));

    // Busboy's types do not say so, but a part can come without a name.
    parser.on('field', (name: string | undefined, value, info) => {
      if (name === undefined) return fail('A part of the form has no name.');
      if (info.valueTruncated) fail(`The form field '${name}' is longer than ${LIMITS.fieldSize} bytes.`);
      parts.push([name, value]);
    });
    parser.on('file', (name: string | undefined, stream, info) => {
      // An error that nobody listens to ends the process, even after the form has been refused.
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

/** A form may send all of `metadata` as one field of JSON, beside or instead of `metadata[…]` fields. */
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
    // Busboy's own limit of names does not hold for multipart forms.
    if (name.length > MAX_NAME_LENGTH)
      throw refuse(`A form field's name is longer than ${MAX_NAME_LENGTH} characters.`);
    requireUtf8(name, "A form field's name");
    if (typeof value === 'string') requireUtf8(value, `The form field '${name}'`);
  }
  return withParsedMetadata(nestFields(parts));
};

const mediaTypeOf = (contentType = ''): string | undefined => contentType.split(';')[0]?.trim().toLowerCase();

export const isJson = (contentType: string | undefined): boolean =>
  mediaTypeOf(contentType) === 'application/json';

/** The fields of a JSON or multipart body; nothing after this knows which it was. */
export const readBody = async (contentType: string | undefined, body: RequestBody): Promise<BodyFields> => {
  if (isJson(contentType)) return readJsonBody(body);
  if (mediaTypeOf(contentType) === 'multipart/form-data') return readFormBody(contentType ?? '', body);
  throw new DomainError(
    'unsupported_media_type',
    'The content-type header must be application/json or multipart/form-data.',
  );
};
