import { DomainError, invalidField } from '../domain/errors.ts';
import { checkImage, type InputImage } from '../domain/input-image.ts';
import { type BodyFields, FilePart, fieldOf, isFields } from './body-fields.ts';
import { readText } from './typed-fields.ts';

const DATA_URI = /^data:([^;,]*)((?:;[^;,]*)*),/i;
const REMOTE = /^[a-z][a-z0-9+.-]*:\/\//i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const decodeBase64 = (param: string, text: string): Uint8Array => {
  if (text.length % 4 !== 0 || !BASE64.test(text))
    throw new DomainError('invalid_image', `${param} is not valid Base64.`, { param });
  return Buffer.from(text, 'base64');
};

/** An image inside a string: a data URI, and never an address that the service would have to fetch. */
export const readDataUri = (param: string, text: string): InputImage => {
  if (REMOTE.test(text))
    throw new DomainError(
      'remote_image_not_supported',
      `${param} is a remote address, which is not fetched: send the file itself or its Base64 data.`,
      { param },
    );
  const match = DATA_URI.exec(text.slice(0, 200));
  if (match === null || !match[2]?.toLowerCase().endsWith(';base64'))
    throw invalidField(
      param,
      `${param} must be an image file or a data URI such as data:image/png;base64,….`,
    );
  return checkImage(param, decodeBase64(param, text.slice(match[0].length)), match[1]);
};

/** An `image_url` as clients send it: the address itself, or an object with it as `url`. */
export const readImageUrl = (param: string, value: unknown): InputImage => {
  const [place, given] = isFields(value) ? [`${param}.url`, fieldOf(value, 'url')] : [param, value];
  const url = readText(place, given);
  if (url === undefined) throw invalidField(place, `${place} is required.`);
  return readDataUri(place, url);
};

const readInlineImage = (param: string, fields: BodyFields): InputImage => {
  const base64 = readText(`${param}.bytesBase64Encoded`, fieldOf(fields, 'bytesBase64Encoded'));
  if (base64 === undefined)
    throw invalidField(
      param,
      `${param} must hold an image as bytesBase64Encoded and mimeType, or as image_url.`,
    );
  const mimeType = readText(`${param}.mimeType`, fieldOf(fields, 'mimeType'));
  if (mimeType === undefined) throw invalidField(`${param}.mimeType`, `${param}.mimeType is required.`);
  return checkImage(param, decodeBase64(`${param}.bytesBase64Encoded`, base64), mimeType);
};

/** One image in any of the forms that clients send: file, data URI, `{image_url}`, or Base64 with its type. */
export const readImage = (param: string, value: unknown): InputImage | undefined => {
  if (value === undefined) return undefined;
  if (value instanceof FilePart) return checkImage(param, value.bytes, value.declaredType);
  if (typeof value === 'string') return readDataUri(param, value);
  if (Array.isArray(value))
    throw invalidField(param, `${param} takes one image, but ${value.length} were sent.`);
  if (!isFields(value)) throw invalidField(param, `${param} must be an image file, a data URI or an object.`);
  if (fieldOf(value, 'file_id') !== undefined)
    throw invalidField(param, `${param}.file_id is not offered: send the file itself or its Base64 data.`);
  const imageUrl = fieldOf(value, 'image_url');
  return imageUrl === undefined
    ? readInlineImage(param, value)
    : readImageUrl(`${param}.image_url`, imageUrl);
};
