import * as z from 'zod/mini';
import { decodeBase64 } from '../../catalogue/api/image.ts';
import { checkImage } from '../../catalogue/domain/input-image.ts';
import { IMAGE_TYPES, largestImage, MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import { type BodyFields, FilePart } from '../../platform/body/fields.ts';
import { parseBody, refuse } from '../../platform/body/parse.ts';
import { choice, leaf, limitedText, openFields, optional, wholeNumber } from '../../platform/body/schema.ts';
import { formatMegabytes, nameCheck, nameRule } from '../../platform/domain/text.ts';
import { FILE_LIFETIME_SECONDS, MAX_FILE_NAME_CHARACTERS, UPLOAD_PURPOSES } from '../domain/files.ts';

export const NAME_RULE = nameRule(MAX_FILE_NAME_CHARACTERS);
export const isFileName = nameCheck(MAX_FILE_NAME_CHARACTERS);

/** Control characters, marks of direction and line separators. */
const UNPRINTABLE = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

const shared = {
  purpose: choice(UPLOAD_PURPOSES).check(
    z.describe('Both mean the same: an input image for videos and images.'),
  ),
  expires_after: optional(
    openFields({
      anchor: choice(['created_at']),
      seconds: wholeNumber(FILE_LIFETIME_SECONDS.least, FILE_LIFETIME_SECONDS.most),
    }),
    'How long the file is kept. Default: two days, unless the service is configured otherwise.',
  ),
};

const file = leaf(
  (value, context) => {
    if (value === undefined) return refuse(context, 'is required.');
    if (Array.isArray(value)) return refuse(context, `takes one file, but ${value.length} were sent.`);
    if (!(value instanceof FilePart)) return refuse(context, 'must be a file.');
    if (value.name !== '' && !isFileName(value.name)) return refuse(context, `has a name that ${NAME_RULE}`);
    const image = checkImage(value.bytes);
    return typeof image === 'string'
      ? refuse(context, image, { code: 'invalid_image' })
      : { name: value.name === '' ? 'file' : value.name, image };
  },
  {
    type: 'string',
    format: 'binary',
    description: 'A JPEG, PNG or WebP image with at most 8192 pixels per side.',
  },
);

export const createFileFormSchema = openFields({ file, ...shared }).check(
  z.describe('A file as a form, up to about 4.4 MB. Unknown fields are ignored.'),
);

const HEX = /^[0-9a-f]{64}$/i;
const SHA256_BYTES = 32;
/** SHA-256 of an empty file, as an example. */
const EMPTY_SHA256 = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** Converted to Base64 for S3. */
const sha256 = leaf(
  (value, context) => {
    const bytes = typeof value === 'string' ? decodeDigest(value) : undefined;
    return bytes?.length === SHA256_BYTES
      ? Buffer.from(bytes).toString('base64')
      : refuse(context, 'must be the SHA-256 of the file, in hexadecimal or in Base64.');
  },
  {
    type: 'string',
    pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$',
    examples: [EMPTY_SHA256],
  },
);
const decodeDigest = (text: string): Uint8Array | undefined =>
  HEX.test(text) ? Buffer.from(text, 'hex') : decodeBase64(text);

export const createUploadSchema = openFields({
  filename: limitedText(MAX_FILE_NAME_CHARACTERS).check(
    z.refine(isFileName, { error: NAME_RULE }),
    z.meta({
      minLength: 1,
      pattern: `^[^${UNPRINTABLE}]*\\S[^${UNPRINTABLE}]*$`,
    }),
  ),
  bytes: wholeNumber(
    1,
    MAX_IMAGE_BYTES,
    `must be how many bytes the file has: a whole number, at most ${formatMegabytes(largestImage())} unless the service is configured otherwise.`,
  ),
  mime_type: choice(IMAGE_TYPES),
  ...shared,
  sha256: optional(sha256, 'If it is given, the upload is rejected unless the bytes match.'),
}).check(z.describe('A file whose bytes are sent to a signed URL. Unknown fields are ignored.'));

export const readFileForm = (body: BodyFields) => {
  const { file, purpose, expires_after } = parseBody(createFileFormSchema, body);
  const { bytes, mimeType } = file.image;
  const lifetimeSeconds = expires_after?.seconds;
  const terms = { name: file.name, bytes: bytes.length, mimeType, purpose, lifetimeSeconds };
  return { bytes, terms };
};

export const readUpload = (body: BodyFields) => {
  const { filename, bytes, mime_type, purpose, expires_after, sha256 } = parseBody(createUploadSchema, body);
  const lifetimeSeconds = expires_after?.seconds;
  const terms = { name: filename, bytes, mimeType: mime_type, purpose, lifetimeSeconds };
  return { terms, sha256 };
};
