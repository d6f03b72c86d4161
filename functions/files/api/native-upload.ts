import * as z from 'zod/mini';
import { checkImage } from '../../catalogue/domain/input-image.ts';
import { IMAGE_TYPES, largestImage, MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import type { RequestBody } from '../../platform/body/body-text.ts';
import type { BodyFields } from '../../platform/body/fields.ts';
import { mediaType, readJsonBody, readOptionalJson, refuseBody } from '../../platform/body/json-body.ts';
import { parseBody, refuse } from '../../platform/body/parse.ts';
import {
  forbidden,
  lenientFields,
  limitedText,
  optional,
  text,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import { formatMegabytes, isOneOf } from '../../platform/domain/text.ts';
import { MAX_FILE_NAME_CHARACTERS } from '../domain/files.ts';
import { MAX_CHUNK_BYTES } from '../domain/uploads.ts';
import { isFileName, NAME_RULE } from './create-file.ts';

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

type Header = (name: string) => string | undefined;

const LENGTH_RULE = `must be how many bytes the file has: a whole number, at most ${formatMegabytes(largestImage())} unless the service is configured otherwise.`;

const metadata = lenientFields({
  displayName: optional(
    limitedText(MAX_FILE_NAME_CHARACTERS).check(
      z.refine((name) => name === '' || isFileName(name), { error: NAME_RULE }),
    ),
    'Default: the name in X-Goog-Upload-File-Name.',
  ),
  mimeType: z.optional(text()),
  sizeBytes: z.optional(wholeNumber(1, MAX_IMAGE_BYTES, LENGTH_RULE)),
  name: forbidden(
    (context) => refuse(context, 'is not supported: leave it out, and the service chooses a name.'),
    'Not supported: the service chooses the name.',
  ),
});

export const uploadStartSchema = lenientFields({ file: z.optional(metadata) }).check(
  z.describe('The metadata of a file. Field names may also be in snake_case.'),
);

type Metadata = NonNullable<z.output<typeof uploadStartSchema>['file']>;

export const UPLOAD_PROTOCOLS = ['resumable', 'multipart'] as const;

export const readProtocol = (header: Header): (typeof UPLOAD_PROTOCOLS)[number] => {
  const protocol = header('x-goog-upload-protocol')?.trim().toLowerCase();
  if (isOneOf(UPLOAD_PROTOCOLS, protocol)) return protocol;
  throw invalidField(
    'X-Goog-Upload-Protocol',
    `The header X-Goog-Upload-Protocol must be one of ${listed(UPLOAD_PROTOCOLS)}.`,
  );
};

const WHOLE_NUMBER = /^\d{1,16}$/;

const readNumber = (header: Header, name: string): number | undefined => {
  const given = header(name.toLowerCase());
  if (given === undefined || given.trim() === '') return undefined;
  if (!WHOLE_NUMBER.test(given.trim()))
    throw invalidField(name, `The header ${name} must be a whole number.`);
  return Number(given);
};

export const LENGTH_HEADER = 'X-Goog-Upload-Header-Content-Length';

/** Google's SDKs send 8 MB at a time, whatever size the service asks for, and announce themselves. */
const refuseLargeChunks = (header: Header, bytes: number): void => {
  const isSdk = [header('x-goog-api-client'), header('user-agent')].some((text) =>
    text?.includes('google-genai-sdk/'),
  );
  if (!isSdk || bytes <= MAX_CHUNK_BYTES) return;
  throw new DomainError(
    'request_too_large',
    `The file has ${bytes} bytes. Google's SDKs send up to 8 MB in one request, and about 4.4 MB are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the response, and use files/FILE_ID as fileUri.`,
    { param: LENGTH_HEADER },
  );
};

/** The type is read from the bytes later; only what cannot be an image is refused now. */
const acceptType = (declared: string | undefined): string => {
  const type = mediaType(declared) ?? '';
  if (isOneOf(IMAGE_TYPES, type)) return type;
  if (type === '' || type === UNKNOWN_TYPE || type.startsWith('image/')) return UNKNOWN_TYPE;
  throw new DomainError(
    'invalid_image',
    `The file has the type ${type}; the accepted types are ${listed(IMAGE_TYPES)}.`,
    { param: 'X-Goog-Upload-Header-Content-Type' },
  );
};
const UNKNOWN_TYPE = 'application/octet-stream';

const chooseName = ({ displayName = '' }: Metadata, header: Header): string => {
  const fileName = header('x-goog-upload-file-name') ?? '';
  return [displayName, fileName].find((name) => name !== '' && isFileName(name)) ?? 'file';
};

const toTerms = (file: Metadata, header: Header) => ({
  name: chooseName(file, header),
  purpose: 'vision' as const,
  lifetimeSeconds: undefined,
});

const readMetadata = (fields: BodyFields): Metadata => parseBody(uploadStartSchema, fields).file ?? {};

/** Reads the request that starts a resumable upload. */
export const readUploadStart = (header: Header, body: RequestBody) => {
  const command = header('x-goog-upload-command')?.trim().toLowerCase();
  if (command !== 'start')
    throw invalidField(
      'X-Goog-Upload-Command',
      'The header X-Goog-Upload-Command must be start. Send later commands to the URL in X-Goog-Upload-URL.',
    );
  const file = readMetadata(readOptionalJson(header('content-type'), body));
  const bytes = readNumber(header, LENGTH_HEADER) ?? file.sizeBytes;
  if (bytes !== undefined && (bytes < 1 || bytes > MAX_IMAGE_BYTES))
    throw invalidField(LENGTH_HEADER, `The header ${LENGTH_HEADER} ${LENGTH_RULE}`);
  refuseLargeChunks(header, bytes ?? 0);
  const mimeType = acceptType(header('x-goog-upload-header-content-type') ?? file.mimeType);
  return { ...toTerms(file, header), bytes, mimeType };
};

export const readWholeUpload = (header: Header, body: RequestBody) => {
  const { fields, bytes } = readRelatedParts(header('content-type'), body);
  const file = readMetadata(fields);
  acceptType(file.mimeType);
  const image = checkImage(bytes);
  if (typeof image === 'string') throw new DomainError('invalid_image', `The file ${image}`);
  const terms = { ...toTerms(file, header), bytes: bytes.length, mimeType: image.mimeType };
  return { terms, bytes: image.bytes };
};

const COMMANDS = ['upload', 'upload, finalize', 'finalize', 'query', 'cancel'] as const;

/** The gateway has already replaced bytes that are not UTF-8 in a body of a type that is not binary. */
const requireBytes = (body: RequestBody, contentType: string | undefined): Uint8Array => {
  if (typeof body !== 'string') return body;
  if (body === '') return new Uint8Array(0);
  throw new DomainError(
    'unsupported_media_type',
    `The bytes have the content type ${mediaType(contentType) ?? ''}, which this service reads as text: send application/octet-stream.`,
    { uploadStatus: 'cancelled' },
  );
};

export const readUploadStep = (header: Header, body: RequestBody) => {
  const command = (header('x-goog-upload-command') ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .join(', ');
  if (!isOneOf(COMMANDS, command))
    throw new DomainError(
      'invalid_request',
      `The header X-Goog-Upload-Command must be one of: ${COMMANDS.join('; ')}.`,
      { param: 'X-Goog-Upload-Command', uploadStatus: 'active' },
    );
  if (command === 'query' || command === 'cancel') return command;
  const bytes = requireBytes(body, header('content-type'));
  if (command === 'finalize' && bytes.length === 0) return { added: undefined, isLast: true };
  const offset = readNumber(header, 'X-Goog-Upload-Offset');
  if (offset === undefined)
    throw new DomainError('invalid_request', 'The header X-Goog-Upload-Offset is required.', {
      param: 'X-Goog-Upload-Offset',
      uploadStatus: 'active',
    });
  return { added: { offset, bytes }, isLast: command !== 'upload' };
};
