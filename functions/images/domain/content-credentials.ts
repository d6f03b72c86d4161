import { isJpeg } from '../../catalogue/domain/input-image.ts';
import type { EncodedImage } from '../../files/domain/image-conversion.ts';
import type { GeneratedImage } from '../../upstream/domain/image-request.ts';

/**
 * Content credentials (C2PA) are a signed statement about the origin of an image, inside the image. They hold for its
 * exact bytes, so a converted image cannot have those of its original.
 */

export type RemovedCredentials = 'removed';

export type ConvertedImage = GeneratedImage & {
  /** Present if the upstream's image had credentials, and the requested conversion removed them. */
  readonly contentCredentials?: RemovedCredentials | undefined;
};

/** A segment of a JPEG, or a chunk of a PNG or WebP. */
type Section = { readonly hasCredentials: boolean; readonly next: number };

type Container = {
  readonly matches: (bytes: Buffer) => boolean;
  /** Where the first section begins. */
  readonly start: number;
  /** How many bytes `readSection` reads. */
  readonly headerLength: number;
  /** Undefined at the end of the sections that can hold credentials. */
  readonly readSection: (bytes: Buffer, offset: number) => Section | undefined;
};

const ascii = (bytes: Buffer, from: number, length: number): string =>
  bytes.toString('latin1', from, from + length);

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP11 = 0xeb;
/** Markers without a length: TEM, RST0–RST7 and a second SOI. */
const isBareMarker = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** The segments with metadata end where the pixels begin. */
const JPEG: Container = {
  matches: isJpeg,
  start: 2,
  headerLength: 6,
  readSection: (bytes, offset) => {
    const marker = bytes.readUInt8(offset + 1);
    if (bytes.readUInt8(offset) !== 0xff || marker === START_OF_SCAN || marker === END_OF_IMAGE)
      return undefined;
    // Fill bytes may precede a marker.
    if (marker === 0xff) return { hasCredentials: false, next: offset + 1 };
    if (isBareMarker(marker)) return { hasCredentials: false, next: offset + 2 };
    const length = bytes.readUInt16BE(offset + 2);
    return {
      hasCredentials: marker === APP11 && length >= 4 && ascii(bytes, offset + 4, 2) === 'JP',
      next: offset + 2 + length,
    };
  },
};

const PNG: Container = {
  matches: (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
  start: 8,
  headerLength: 8,
  readSection: (bytes, offset) => {
    const type = ascii(bytes, offset + 4, 4);
    if (type === 'IEND') return undefined;
    // The length, the type and the checksum.
    return { hasCredentials: type === 'caBX', next: offset + 12 + bytes.readUInt32BE(offset) };
  },
};

const WEBP: Container = {
  matches: (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP',
  start: 12,
  headerLength: 8,
  readSection: (bytes, offset) => {
    const length = bytes.readUInt32LE(offset + 4);
    // A chunk of odd length is padded.
    return { hasCredentials: ascii(bytes, offset, 4) === 'C2PA', next: offset + 8 + length + (length % 2) };
  },
};

const CONTAINERS = [JPEG, PNG, WEBP];

/** Whether the image says that it has content credentials. Their signature is not verified. */
export const hasContentCredentials = (image: Uint8Array): boolean => {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const container = CONTAINERS.find(({ matches }) => matches(bytes));
  if (container === undefined) return false;
  let offset = container.start;
  while (offset + container.headerLength <= bytes.length) {
    const section = container.readSection(bytes, offset);
    if (section === undefined) return false;
    if (section.hasCredentials) return true;
    offset = section.next;
  }
  return false;
};

/** A conversion that returned the original bytes has kept them. */
export const losesCredentials = (original: EncodedImage, converted: EncodedImage): boolean =>
  converted.base64 !== original.base64 && hasContentCredentials(Buffer.from(original.base64, 'base64'));
