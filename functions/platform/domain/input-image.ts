import { listed } from './errors.ts';
import { type ImageHeader, isJpeg, readImageHeader } from './image-header.ts';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './models.ts';

/** An image that a client sent and that passed every check. */
export type InputImage = { readonly bytes: Uint8Array; readonly mimeType: ImageType };

/** An image that lies among the account's files, and that nobody has looked at yet. */
export type FileReference = { readonly fileId: string };

export type GivenImage = InputImage | FileReference;

export const isFileReference = (image: GivenImage): image is FileReference => 'fileId' in image;

export const lengthProblem = (bytes: number): string | undefined => {
  if (bytes === 0) return 'is empty.';
  return bytes > MAX_IMAGE_BYTES ? `has ${bytes} bytes; at most ${MAX_IMAGE_BYTES} are accepted.` : undefined;
};

const headerProblem = ({ width, height }: ImageHeader): string | undefined => {
  if (width === 0 || height === 0) return 'has no pixels.';
  return width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE
    ? `is ${width}x${height}; at most ${MAX_IMAGE_SIDE} pixels a side are accepted.`
    : undefined;
};

const NO_IMAGE = `is not an image of an accepted type: ${listed(IMAGE_TYPES)}.`;

/** The image, of the type that its bytes say, or what is wrong with it as the rest of a sentence. */
export const checkImage = (bytes: Uint8Array): InputImage | string => {
  const wrongLength = lengthProblem(bytes.length);
  if (wrongLength !== undefined) return wrongLength;
  const header = readImageHeader(bytes);
  if (header === undefined) return NO_IMAGE;
  const problem = headerProblem(header);
  if (problem !== undefined) return problem;
  return header.whole ? { bytes, mimeType: header.mimeType } : 'is truncated.';
};

/** The same of an image of which only the first bytes are there: all but whether it is whole. */
export const checkImageHead = (
  head: Uint8Array,
  bytes: number,
): { readonly mimeType: ImageType } | string => {
  const wrongLength = lengthProblem(bytes);
  if (wrongLength !== undefined) return wrongLength;
  const header = readImageHeader(head);
  if (header === undefined && isJpeg(head) && head.length < bytes)
    return `has no JPEG dimensions in its first ${head.length} bytes: remove its metadata.`;
  if (header === undefined) return NO_IMAGE;
  return headerProblem(header) ?? { mimeType: header.mimeType };
};
