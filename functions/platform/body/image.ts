import * as z from 'zod/mini';
import { listed } from '../domain/errors.ts';
import { checkImage, type GivenImage, type InputImage } from '../domain/input-image.ts';
import { BASE64_PATTERN, decodeBase64 } from './base64.ts';
import { FilePart, fieldOf, isFields } from './fields.ts';
import { FILE_NAME_PATTERN, fileName, fileReferenceOf } from './file-reference.ts';
import { refuse } from './parse.ts';
import { fields, forms, leaf, map, optional, text } from './schema.ts';

type Context = z.core.ParsePayload;

/** A whole PNG of one pixel, so that the examples can be sent as they stand. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

const DATA_URI = /^data:[^,]*;base64,/i;
const REMOTE = /^[a-z][a-z0-9+.-]*:\/\//i;

export const checkedImage = (context: Context, bytes: Uint8Array): InputImage => {
  const image = checkImage(bytes);
  return typeof image === 'string' ? refuse(context, image, { code: 'invalid_image' }) : image;
};

const readBase64 = (value: unknown, context: Context): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string')
    return refuse(context, value === undefined ? 'is required.' : 'must be a string.');
  return decodeBase64(value) ?? refuse(context, 'is not valid Base64.', { code: 'invalid_image' });
};

/** An image inside a string, and never an address that the service would have to fetch. */
export const readDataUri = (value: unknown, context: Context): InputImage => {
  if (typeof value !== 'string')
    return refuse(context, value === undefined ? 'is required.' : 'must be a string, given once.');
  if (REMOTE.test(value))
    return refuse(
      context,
      'is a remote address, which is not fetched: send the file itself, or a data URI.',
      { code: 'remote_image_not_supported' },
    );
  const match = DATA_URI.exec(value.slice(0, 200));
  if (match === null)
    return refuse(
      context,
      'must be an image file, a data URI such as data:image/png;base64,…, or the id of a file.',
    );
  const bytes = readBase64(value.slice(match[0].length), context);
  return context.issues.length > 0 ? z.NEVER : checkedImage(context, bytes);
};

export const base64 = leaf(readBase64, {
  type: 'string',
  pattern: `^${BASE64_PATTERN}$`,
  description: 'Base64 in either alphabet, padded or not.',
  examples: [PIXEL],
});

const readAddress = (value: unknown, context: Context): GivenImage =>
  fileReferenceOf(value) ?? readDataUri(value, context);

const address = leaf(readAddress, {
  type: 'string',
  pattern: `^data:[^,]*;base64,${BASE64_PATTERN}$|${FILE_NAME_PATTERN}`,
  description: 'An image as a data URI, or the id of a file; no remote address.',
  examples: [`data:image/png;base64,${PIXEL}`],
});

/** What clients declare is often wrong, so the bytes alone decide. */
export const imageType = optional(text(), 'Not needed: the data tells.');

/** The address itself, or an object with it as `url`. */
export const imageUrl = forms(
  [
    [isFields, map(fields({ url: address }), ({ url }) => url)],
    [() => true, address],
  ],
  'is required.',
);

const inlineImage = z.pipe(
  fields({ bytesBase64Encoded: base64, mimeType: imageType }),
  z.transform(({ bytesBase64Encoded }, context) => checkedImage(context, bytesBase64Encoded)),
);

const has = (name: string) => (value: unknown) => isFields(value) && fieldOf(value, name) !== undefined;
const ONE_OF = ['file_id', 'fileId', 'image_url', 'bytesBase64Encoded'];

/** A file of a form is read as the object that JSON has in its place. */
const fileAsObject = (value: unknown, context: Context): unknown => {
  if (value instanceof FilePart) return { bytesBase64Encoded: value.bytes };
  if (Array.isArray(value)) return refuse(context, `takes one image, but ${value.length} were sent.`);
  const forms = ONE_OF.filter((name) => has(name)(value));
  if (forms.length > 1) return refuse(context, `takes one of ${listed(forms)}, not both.`);
  return value;
};

/** One image in any of the forms that clients send: file, data URI, `{file_id}`, `{image_url}`, or Base64. */
export const image = z
  .pipe(
    z.transform(fileAsObject),
    forms<GivenImage>(
      [
        [(value) => typeof value === 'string', address],
        [has('file_id'), map(fields({ file_id: fileName }), ({ file_id }) => file_id)],
        [has('fileId'), map(fields({ fileId: fileName }), ({ fileId }) => fileId)],
        [has('image_url'), map(fields({ image_url: imageUrl }), ({ image_url }) => image_url)],
        [has('bytesBase64Encoded'), inlineImage],
      ],
      'must be an image file, a data URI, or an object with file_id, image_url or bytesBase64Encoded.',
    ),
  )
  .check(z.describe('At most 20 MB and 8192 pixels a side.'));
