import { listed } from '../../platform/domain/errors.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './models.ts';

/** Read from the bytes of an image, never from what its sender declared. */
type ImageHeader = {
  readonly mimeType: ImageType;
  readonly width: number;
  readonly height: number;
  /** False when the bytes end before the image does. */
  readonly whole: boolean;
};

export const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

export const view = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** The names of chunks are compared as numbers, which is faster: an image can have a million chunks. */
export const PNG_END = 0x49454e44;

export const findPngChunk = (
  bytes: Uint8Array,
  names: readonly number[],
): { readonly name: number; readonly offset: number } | undefined => {
  const data = view(bytes);
  for (let offset = PNG_SIGNATURE.length; offset + 8 <= bytes.length; offset += 12 + data.getUint32(offset)) {
    const name = data.getUint32(offset + 4);
    if (names.includes(name)) return { name, offset };
  }
  return undefined;
};

const readPng = (bytes: Uint8Array): ImageHeader | undefined => {
  const data = view(bytes);
  if (bytes.length < 33 || data.getUint32(8) !== 13 || ascii(bytes, 12, 4) !== 'IHDR') return undefined;
  const end = findPngChunk(bytes, [PNG_END])?.offset ?? bytes.length;
  return {
    mimeType: 'image/png',
    width: data.getUint32(16),
    height: data.getUint32(20),
    whole: end + 12 <= bytes.length,
  };
};

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jpegEndsWell = (bytes: Uint8Array, from: number): boolean => {
  for (let offset = bytes.length - 2; offset >= from; offset -= 1)
    if (bytes[offset] === 0xff && bytes[offset + 1] === 0xd9) return true;
  return false;
};

/** A temporary marker and restarts. All others have a length, except the start and the end of the image. */
const isMarkerAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** No segment of the header begins with these: a stuffed zero, another start, the end, and pixels without a size. */
const ENDS_HEADER: readonly number[] = [0x00, 0xd8, 0xd9, 0xda];

type JpegSegment = { readonly marker: number; readonly offset: number; readonly length: number };

/** The segments before the pixels. Fill bytes may precede a marker. */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  const data = view(bytes);
  let offset = 2;
  while (offset + 4 <= bytes.length && bytes[offset] === 0xff) {
    const marker = data.getUint8(offset + 1);
    if (ENDS_HEADER.includes(marker)) return;
    if (marker === 0xff) offset += 1;
    else if (isMarkerAlone(marker)) offset += 2;
    else {
      const length = data.getUint16(offset + 2);
      yield { marker, offset, length };
      offset += 2 + length;
    }
  }
}

const readJpeg = (bytes: Uint8Array): ImageHeader | undefined => {
  const data = view(bytes);
  for (const { marker, offset } of jpegSegments(bytes))
    if (isStartOfFrame(marker) && offset + 9 < bytes.length)
      return {
        mimeType: 'image/jpeg',
        height: data.getUint16(offset + 5),
        width: data.getUint16(offset + 7),
        whole: jpegEndsWell(bytes, offset),
      };
  return undefined;
};

/** Decoding takes time for each scan of a progressive JPEG, even for an empty one. Encoders write about 10. */
const MAX_SCANS = 100;

/** Whether a JPEG has more scans than an encoder would write. Takes linear time. */
const hasTooManyScans = (bytes: Uint8Array): boolean => {
  let scans = 0;
  let offset = 2;
  while (offset + 3 < bytes.length && scans <= MAX_SCANS) {
    const marker = bytes[offset + 1] ?? 0;
    if (bytes[offset] !== 0xff || marker === 0xff) offset += 1;
    else if (marker === 0xd9) break;
    else if (marker === 0 || isMarkerAlone(marker)) offset += 2;
    else {
      if (marker === 0xda) scans += 1;
      offset += 2 + (bytes[offset + 2] ?? 0) * 256 + (bytes[offset + 3] ?? 0);
    }
  }
  return scans > MAX_SCANS;
};

const webpSize = (bytes: Uint8Array): { width: number; height: number } | undefined => {
  const data = view(bytes);
  const uint24 = (at: number): number => data.getUint16(at, true) + (data.getUint8(at + 2) << 16);
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = data.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    default:
      return undefined;
  }
};

const readWebp = (bytes: Uint8Array): ImageHeader | undefined => {
  if (bytes.length < 30) return undefined;
  const size = webpSize(bytes);
  if (size === undefined) return undefined;
  return { mimeType: 'image/webp', ...size, whole: view(bytes).getUint32(4, true) + 8 <= bytes.length };
};

export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

export const announcedType = (bytes: Uint8Array): ImageType | undefined => {
  if (ascii(bytes, 0, 8) === PNG_SIGNATURE) return 'image/png';
  if (isJpeg(bytes)) return 'image/jpeg';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? 'image/webp' : undefined;
};

const HEADERS: Readonly<Record<ImageType, (bytes: Uint8Array) => ImageHeader | undefined>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

/** Reads type and dimensions from the header. Nothing is decoded, so a malicious image costs nothing. */
export const readImageHeader = (bytes: Uint8Array): ImageHeader | undefined => {
  const type = announcedType(bytes);
  return type && HEADERS[type](bytes);
};

/** An image that passed every check. */
export type InputImage = { readonly bytes: Uint8Array; readonly mimeType: ImageType };

/** An image among the account's files, not checked yet. */
export type FileReference = { readonly fileId: string };

/** An image that has not been loaded yet. */
export type RemoteImage = { readonly address: string };

export type GivenImage = InputImage | FileReference | RemoteImage;

export const isFileReference = (image: GivenImage): image is FileReference => 'fileId' in image;
export const isRemoteImage = (image: GivenImage): image is RemoteImage => 'address' in image;

export const lengthProblem = (bytes: number, most = MAX_IMAGE_BYTES): string | undefined => {
  if (bytes === 0) return 'is empty.';
  return bytes > most
    ? `has ${formatMegabytes(bytes)}; at most ${formatMegabytes(most)} are accepted.`
    : undefined;
};

const headerProblem = ({ width, height }: ImageHeader): string | undefined => {
  if (width === 0 || height === 0) return 'has no pixels.';
  return width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE
    ? `is ${width}x${height}; at most ${MAX_IMAGE_SIDE} pixels a side are accepted.`
    : undefined;
};

/** A reason not to decode an image, which completes a sentence that begins with its name. */
export const decodingProblem = (bytes: Uint8Array): string | undefined =>
  isJpeg(bytes) && hasTooManyScans(bytes)
    ? `has more than ${MAX_SCANS} scans: save it as a baseline JPEG.`
    : undefined;

export const NO_IMAGE = `is not an image of an accepted type: ${listed(IMAGE_TYPES)}.`;

/** Checks an image. A problem completes a sentence that begins with the name of the field. */
export const checkImage = (bytes: Uint8Array, most = MAX_IMAGE_BYTES): InputImage | string => {
  const wrongLength = lengthProblem(bytes.length, most);
  if (wrongLength !== undefined) return wrongLength;
  const header = readImageHeader(bytes);
  if (header === undefined) return NO_IMAGE;
  const problem = headerProblem(header) ?? decodingProblem(bytes);
  if (problem !== undefined) return problem;
  return header.whole ? { bytes, mimeType: header.mimeType } : 'is truncated.';
};

/** Checks the first bytes of an image; whether it is complete remains unknown. */
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
