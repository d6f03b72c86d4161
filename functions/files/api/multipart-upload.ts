import { mediaType, readJsonBody, refuseBody } from '../../platform/body/json-body.ts';
import type { BodyFields, RequestBody } from '../../platform/body/parse.ts';
import { DomainError } from '../../platform/domain/errors.ts';

/** `boundary=abc` or `boundary="abc"`, with the characters and the length that RFC 2046 allows. */
const BOUNDARY = /;\s{0,10}boundary=("?)([\w'()+,./:=?-]{1,70})\1\s{0,10}(?:;|$)/i;

const LINE = '\r\n';

/** The bytes of a part without its headers, and the position after it. */
const readPart = (body: Buffer, delimiter: string, from: number): readonly [part: Buffer, end: number] => {
  // Headers may be absent: then the empty line comes first.
  const headersEnd = body.indexOf(`${LINE}${LINE}`, from);
  const end = body.indexOf(`${LINE}${delimiter}`, headersEnd + LINE.length);
  if (headersEnd === -1 || end === -1) throw refuseBody('The multipart body is truncated.');
  return [body.subarray(headersEnd + 2 * LINE.length, end), end + LINE.length + delimiter.length];
};

/** Reads the two parts of `multipart/related`: the metadata in JSON, then the bytes of the file. */
export const readRelatedParts = (
  contentType: string | undefined,
  given: RequestBody,
): { readonly fields: BodyFields; readonly bytes: Uint8Array } => {
  if (mediaType(contentType) !== 'multipart/related' || typeof given === 'string')
    throw new DomainError(
      'unsupported_media_type',
      'With X-Goog-Upload-Protocol: multipart, the content-type header must be multipart/related.',
    );
  const boundary = BOUNDARY.exec(contentType ?? '')?.[2];
  if (boundary === undefined) throw refuseBody('The content-type header has no usable boundary.');
  const delimiter = `--${boundary}`;
  const body = Buffer.from(given.buffer, given.byteOffset, given.length);
  const start = body.indexOf(`${delimiter}${LINE}`);
  if (start === -1) throw refuseBody('The multipart body has no parts.');
  const [metadata, afterMetadata] = readPart(body, delimiter, start + delimiter.length);
  const [bytes, afterBytes] = readPart(body, delimiter, afterMetadata);
  if (body.toString('latin1', afterBytes, afterBytes + 2) !== '--')
    throw refuseBody('The multipart body must have two parts: the metadata in JSON, then the file.');
  return { fields: readJsonBody(metadata), bytes };
};
