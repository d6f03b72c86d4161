import { listed } from './errors.ts';
import { readImageHeader } from './image-header.ts';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './models.ts';

/** An image that a client sent and that passed every check. */
export type InputImage = { readonly bytes: Uint8Array; readonly mimeType: ImageType };

/** The image, of the type that its bytes say, or what is wrong with it as the rest of a sentence. */
export const checkImage = (bytes: Uint8Array): InputImage | string => {
  if (bytes.length === 0) return 'is empty.';
  if (bytes.length > MAX_IMAGE_BYTES)
    return `has ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} are accepted.`;

  const header = readImageHeader(bytes);
  if (header === undefined) return `is not an image of an accepted type: ${listed(IMAGE_TYPES)}.`;
  if (header.width === 0 || header.height === 0) return 'has no pixels.';
  if (header.width > MAX_IMAGE_SIDE || header.height > MAX_IMAGE_SIDE)
    return `is ${header.width}x${header.height}; at most ${MAX_IMAGE_SIDE} pixels a side are accepted.`;
  if (!header.whole) return 'is truncated.';
  return { bytes, mimeType: header.mimeType };
};
