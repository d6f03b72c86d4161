import { crc32, deflateSync } from 'node:zlib';
import {
  type GivenImage,
  isFileReference,
  isRemoteImage,
} from '../../functions/catalogue/domain/input-image.ts';

/** The type that a reader found in an image, or the file's id. */
export const imageKind = (image: GivenImage | undefined): string => {
  if (image === undefined) return 'none';
  if (isRemoteImage(image)) return image.address;
  return isFileReference(image) ? image.fileId : image.mimeType;
};

/** Small real images, 32 × 18 pixels of one colour. */
export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xABNAAEBAAAAAAAAAAAAAAAAAAAABQEBAQEAAAAAAAAAAAAAAAAAAAYHEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAEgAgAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AngJdoAAAAAAD/9k=',
  'base64',
);
export const WEBP = Buffer.from(
  'UklGRkgAAABXRUJQVlA4IDwAAABwAwCdASogABIAPpFCnEolo6KhqAgAsBIJZQB2AABhIN+ZV8AA/gwc//8W0joUyH//5Kf4u+83doAAAAA=',
  'base64',
);

/** A chunk of a PNG. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** A PNG of one grey; `claimed` dimensions may differ from the pixels that are there. */
export const png = (width = 32, height = 18, claimed = { width, height }): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claimed.width, 0);
  header.writeUInt32BE(claimed.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) pixels[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A whole PNG of about so many bytes, most of which say nothing. */
export const largePng = (bytes: number): Buffer => {
  const image = png();
  const end = image.length - 12;
  return Buffer.concat([image.subarray(0, end), chunk('teSt', Buffer.alloc(bytes)), image.subarray(end)]);
};

export const PNG = png();
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

export const dataUri = (bytes: Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

export const file = (bytes: Uint8Array, name: string, type: string): File =>
  new File([new Uint8Array(bytes)], name, { type });
