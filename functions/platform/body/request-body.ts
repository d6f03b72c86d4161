import busboy from 'busboy';
import { DomainError } from '../domain/errors.ts';
import { formatMegabytes } from '../domain/text.ts';
import { bodyBytes, type RequestBody, requireUtf8 } from './body-text.ts';
import { type BodyFields, FilePart, ownField } from './fields.ts';
import { nestFields } from './form-fields.ts';
import { isJson, mediaType, readJsonBody, refuseBody } from './json-body.ts';

const MAX_NAME_LENGTH = 200;
const MAX_FIELD_BYTES = 8_000_000;
const MAX_FILE_BYTES = 20_000_000;
const LIMITS = {
  fieldSize: MAX_FIELD_BYTES + 1,
  fields: 100,
  fileSize: MAX_FILE_BYTES + 1,
  files: 10,
  parts: 110,
  headerPairs: 20,
};

const openParser = (contentType: string): busboy.Busboy => {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw refuseBody('The multipart form has no usable boundary in its content-type header.', error);
  }
};

/** Reads all parts of a form. Exceeding a limit is an error, although busboy continues. */
const readParts = (contentType: string, body: Uint8Array): Promise<(readonly [string, unknown])[]> =>
  new Promise((resolve, reject) => {
    const parser = openParser(contentType);
    const parts: (readonly [string, unknown])[] = [];
    const fail = (message: string, cause?: unknown): void => reject(refuseBody(message, cause));

    // A part can lack a name, although busboy's types do not say so.
    parser.on('field', (name: string | undefined, value, info) => {
      if (name === undefined) return fail('A part of the form has no name.');
      if (info.valueTruncated) fail(`The form field '${name}' is longer than ${MAX_FIELD_BYTES} bytes.`);
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
        if (stream.truncated) fail(`The file '${name}' is longer than ${formatMegabytes(MAX_FILE_BYTES)}.`);
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
  const given = ownField(fields, 'metadata');
  const pieces = Array.isArray(given) ? given : [given];
  if (!pieces.some((piece) => typeof piece === 'string')) return fields;
  const objects = pieces.map((piece) => (typeof piece === 'string' ? parsedMetadata(piece) : piece));
  return { ...fields, metadata: objects.length === 1 ? objects[0] : Object.assign({}, ...objects) };
};

export const readFormBody = async (contentType: string, body: RequestBody): Promise<BodyFields> => {
  const bytes = bodyBytes(body);
  if (bytes.length === 0) throw refuseBody('The multipart form is empty.');
  const parts = await readParts(contentType, bytes);
  if (parts.length === 0) throw refuseBody('The multipart form has no fields.');
  for (const [name, value] of parts) {
    // Busboy's limit on the length of names does not apply to multipart forms.
    if (name.length > MAX_NAME_LENGTH)
      throw refuseBody(`A form field's name is longer than ${MAX_NAME_LENGTH} characters.`);
    requireUtf8(name, "A form field's name");
    if (typeof value === 'string') requireUtf8(value, `The form field '${name}'`);
  }
  return withParsedMetadata(nestFields(parts));
};

/** Reads the fields of a JSON or multipart body; callers need not know which it was. */
export const readBody = async (contentType: string | undefined, body: RequestBody): Promise<BodyFields> => {
  if (isJson(contentType)) return readJsonBody(body);
  if (mediaType(contentType) === 'multipart/form-data') return readFormBody(contentType ?? '', body);
  throw new DomainError(
    'unsupported_media_type',
    'The content-type header must be application/json or multipart/form-data.',
  );
};
