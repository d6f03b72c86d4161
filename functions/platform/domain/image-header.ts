import type { ImageType } from './models.ts';

/** What an image's own bytes say of it; never what its sender says. */
export type ImageHeader = {
  readonly mimeType: ImageType;
  readonly width: number;
  readonly height: number;
  /** False when the bytes end before the image does. */
  readonly whole: boolean;
};

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
/** `IEND`, as the number that is quicker to compare: an image can have a million chunks. */
const PNG_END = 0x49454e44;

const pngEndsWell = (bytes: Uint8Array): boolean => {
  const data = view(bytes);
  let offset = PNG_SIGNATURE.length;
  while (offset + 12 <= bytes.length) {
    if (data.getUint32(offset + 4) === PNG_END) return true;
    offset += 12 + data.getUint32(offset);
  }
  return false;
};

const readPng = (bytes: Uint8Array): ImageHeader | undefined => {
  if (bytes.length < 33 || ascii(bytes, 12, 4) !== 'IHDR') return undefined;
  const data = view(bytes);
  return {
    mimeType: 'image/png',
    width: data.getUint32(16),
    height: data.getUint32(20),
    whole: pngEndsWell(bytes),
  };
};

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jpegEndsWell = (bytes: Uint8Array, from: number): boolean => {
  for (let offset = bytes.length - 2; offset >= from; offset -= 1)
    if (bytes[offset] === 0xff && bytes[offset + 1] === 0xd9) return true;
  return false;
};

const readJpeg = (bytes: Uint8Array): ImageHeader | undefined => {
  const data = view(bytes);
  let offset = 2;
  while (offset + 9 < bytes.length) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (isStartOfFrame(marker))
      return {
        mimeType: 'image/jpeg',
        height: data.getUint16(offset + 5),
        width: data.getUint16(offset + 7),
        whole: jpegEndsWell(bytes, offset),
      };
    offset += 2 + data.getUint16(offset + 2);
  }
  return undefined;
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

/** Type and dimensions from the header alone: nothing is decoded, so a hostile image costs nothing. */
export const readImageHeader = (bytes: Uint8Array): ImageHeader | undefined => {
  if (ascii(bytes, 0, 8) === PNG_SIGNATURE) return readPng(bytes);
  if (isJpeg(bytes)) return readJpeg(bytes);
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return readWebp(bytes);
  return undefined;
};
