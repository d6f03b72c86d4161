import * as z from 'zod/mini';
import { FilePart, isFields, ownField, toParam } from '../../platform/body/fields.ts';
import { refuse } from '../../platform/body/parse.ts';
import { fields, forms, ignored, leaf, map, optional, text } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import { publicUrlRules } from '../../platform/runtime/environment.ts';
import {
  checkImage,
  type FileReference,
  type GivenImage,
  type InputImage,
  type RemoteImage,
} from '../domain/input-image.ts';
import { largestImage } from '../domain/models.ts';
import { checkImageAddress } from '../domain/remote-image.ts';

/** Characters outside of the two Base64 alphabets. Searching for one takes linear time. */
const FOREIGN = [/[^A-Za-z0-9+/]/, /[^A-Za-z0-9_-]/];

const BASE64_PATTERN = '[A-Za-z0-9+/_-]+={0,2}';

const paddingLength = (text: string): number => {
  if (!text.endsWith('=')) return 0;
  return text.endsWith('==') ? 2 : 1;
};

/** Decodes Base64 in either alphabet, padded or not; undefined for anything else. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  const padding = paddingLength(text);
  const digits = text.slice(0, text.length - padding);
  const isWhole = digits.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0);
  return isWhole && FOREIGN.some((foreign) => !foreign.test(digits))
    ? Buffer.from(digits, 'base64')
    : undefined;
};

/** The id of a file, or its name or address in Google's clients: `files/01k…`, `https://…/v1beta/files/01k…`. */
const FILE_NAME_PATTERN =
  '^(?:(?:files/)?(file_[0-9A-Za-z]{1,64})|(?:https?://[^?#\\s]{1,2000}/v1beta/)?files/([0-7][0-9a-hjkmnp-tv-z]{25}))$';
const FILE_NAME = new RegExp(FILE_NAME_PATTERN);

export const toFileReference = (value: unknown): FileReference | undefined => {
  const [, fileId, bareId] = typeof value === 'string' ? (FILE_NAME.exec(value) ?? []) : [];
  if (fileId !== undefined) return { fileId };
  return bareId === undefined ? undefined : { fileId: `file_${bareId}` };
};

const FILE_NAME_DOCUMENT = {
  type: 'string',
  pattern: FILE_NAME_PATTERN,
  description: 'The id of an uploaded image, or its name or URI in Google’s clients.',
  examples: ['file_abc'],
};

const HTTPS_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]://';

export const PLACE_DOCUMENT = {
  ...FILE_NAME_DOCUMENT,
  pattern: `${FILE_NAME_PATTERN}|${HTTPS_PATTERN}`,
  description:
    'The id of an uploaded image, its name or URI in Google’s clients, or a public https address of an image.',
};

export const fileName = leaf(
  (value, context: z.core.ParsePayload) =>
    toFileReference(value) ?? refuse(context, 'must be the id of a file of this account, such as file_abc.'),
  FILE_NAME_DOCUMENT,
);

/** Fields of free text, which may look like a file name or an address. */
const TEXTS = ['prompt', 'text', 'content'];

type Path = readonly (string | number)[];

const pathTo = (value: unknown, named: string): Path | undefined => {
  if (typeof value === 'string')
    return value === named || toFileReference(value)?.fileId === named ? [] : undefined;
  const within = Array.isArray(value)
    ? value.map((item, position) => [position, item] as const)
    : Object.entries(isFields(value) ? value : {}).filter(
        ([name, item]) => !(TEXTS.includes(name) && typeof item === 'string'),
      );
  for (const [step, item] of within) {
    const rest = pathTo(item, named);
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
};

/** The path of the field that names a file or an address, in the client's spelling: `reference_images[1].file_id`. */
export const imageFieldIn =
  (body: unknown) =>
  (named: string): string =>
    toParam(pathTo(body, named) ?? []);

type Context = z.core.ParsePayload;

/** A complete PNG of one pixel, so that the examples work as they are. */
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

export const readDataUri = (value: unknown, context: Context): InputImage => {
  if (typeof value !== 'string')
    return refuse(context, value === undefined ? 'is required.' : 'must be a string, given once.');
  if (REMOTE.test(value))
    return refuse(context, 'is not an https address: send the file itself, or a data URI.', {
      code: 'remote_image_not_supported',
    });
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

const HTTP = /^https?:\/\//i;

/** An address is only checked here; the image is loaded when the whole request is known to be valid. */
const readRemote = (value: string, context: Context): RemoteImage => {
  const { problem } = checkImageAddress(value, publicUrlRules());
  return problem === undefined
    ? { address: value }
    : refuse(context, problem, { code: 'remote_image_not_supported' });
};

/** A file of the account, or an image elsewhere; undefined for anything else. */
export const readImagePlace = (value: unknown, context: Context): FileReference | RemoteImage | undefined => {
  const file = toFileReference(value);
  if (file !== undefined || typeof value !== 'string' || !HTTP.test(value)) return file;
  return readRemote(value, context);
};

const readAddress = (value: unknown, context: Context): GivenImage =>
  readImagePlace(value, context) ?? readDataUri(value, context);

const address = leaf(readAddress, {
  type: 'string',
  pattern: `^data:[^,]*;base64,${BASE64_PATTERN}$|${FILE_NAME_PATTERN}|${HTTPS_PATTERN}`,
  description: 'An image as a data URI, the id of a file, or a public https address.',
  examples: [`data:image/png;base64,${PIXEL}`],
});

/** Declared types are often wrong, so only the bytes decide. */
export const imageType = optional(text(), 'Not needed: the data tells.');

const detail = ignored(text(), 'Images are always read in full.');

export const imageUrl = forms(
  [
    [isFields, map(fields({ url: address, detail }), ({ url }) => url)],
    [() => true, address],
  ],
  'is required.',
);

/** Fields that clients send beside an image, which says the same itself. */
const beside = { type: ignored(text()), mimeType: imageType, detail };

const inlineImage = map(
  fields({ bytesBase64Encoded: base64, ...beside }),
  ({ bytesBase64Encoded }, context) => checkedImage(context, bytesBase64Encoded),
);

const has = (name: string) => (value: unknown) => isFields(value) && ownField(value, name) !== undefined;
const ONE_OF = ['file_id', 'fileId', 'image_url', 'bytesBase64Encoded'];

/** Converts a form's file into the object that a JSON body would have. */
const fileAsObject = (value: unknown, context: Context): unknown => {
  if (value instanceof FilePart) return { bytesBase64Encoded: value.bytes };
  // Some clients send every image as a list.
  if (Array.isArray(value) && value.length === 1) return fileAsObject(value[0], context);
  if (Array.isArray(value)) return refuse(context, `takes one image, but ${value.length} were sent.`);
  const forms = ONE_OF.filter((name) => has(name)(value));
  if (forms.length > 1) return refuse(context, `takes one of ${listed(forms)}, not both.`);
  return value;
};

/** An image in any form that clients send: file, data URI, `{file_id}`, `{image_url}` or Base64. */
export const image = z
  .pipe(
    z.transform(fileAsObject),
    forms<GivenImage>(
      [
        [(value) => typeof value === 'string', address],
        [has('file_id'), map(fields({ file_id: fileName, ...beside }), ({ file_id }) => file_id)],
        [has('fileId'), map(fields({ fileId: fileName, ...beside }), ({ fileId }) => fileId)],
        [has('image_url'), map(fields({ image_url: imageUrl, ...beside }), ({ image_url }) => image_url)],
        [has('bytesBase64Encoded'), inlineImage],
      ],
      'must be an image file, a data URI, or an object with file_id, image_url or bytesBase64Encoded.',
    ),
  )
  .check(
    z.describe(
      `At most ${formatMegabytes(largestImage())}, unless the service is configured otherwise, and 8192 pixels a side.`,
    ),
  );
