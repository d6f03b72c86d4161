import { DomainError, listed } from './errors.ts';
import { readImageHeader } from './image-header.ts';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './models.ts';
import { truncate } from './truncate.ts';

/** An image that a client sent and that passed every check. */
export type InputImage = { readonly bytes: Uint8Array; readonly mimeType: ImageType };

/** Types that say nothing: what clients send when they do not know. */
const UNDECLARED = ['', 'application/octet-stream', 'binary/octet-stream'];
const MAX_QUOTED = 100;
const ALIASES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

const plainType = (declared: string | undefined): string => {
  const type = (declared ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return ALIASES[type] ?? type;
};

export const checkImage = (
  param: string,
  bytes: Uint8Array,
  declaredType: string | undefined,
): InputImage => {
  const refuse = (message: string): DomainError =>
    new DomainError('invalid_image', `${param}: ${message}`, { param });

  if (bytes.length === 0) throw refuse('the image is empty.');
  if (bytes.length > MAX_IMAGE_BYTES)
    throw refuse(`the image has ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} are accepted.`);

  const header = readImageHeader(bytes);
  if (header === undefined)
    throw refuse(`the data is not an image of an accepted type: ${listed(IMAGE_TYPES)}.`);
  const declared = plainType(declaredType);
  if (!UNDECLARED.includes(declared) && declared !== header.mimeType)
    throw refuse(`declared as ${truncate(declared, MAX_QUOTED)}, but the data is ${header.mimeType}.`);
  if (header.width === 0 || header.height === 0) throw refuse('the image has no pixels.');
  if (header.width > MAX_IMAGE_SIDE || header.height > MAX_IMAGE_SIDE)
    throw refuse(
      `the image is ${header.width}x${header.height}; at most ${MAX_IMAGE_SIDE} pixels a side are accepted.`,
    );
  if (!header.whole) throw refuse('the image is truncated.');
  return { bytes, mimeType: header.mimeType };
};
