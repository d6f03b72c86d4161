import { crc32, deflateSync } from 'node:zlib';
import { expectTrue } from './answers.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

const BYTES_PER_PIXEL = 3;

/** A color gradient as uncompressed PNG, whose size depends only on the number of pixels. */
export const gradientPng = (width: number, height: number, blue = 128): Buffer<ArrayBuffer> => {
  const row = 1 + width * BYTES_PER_PIXEL;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const offset = y * row + 1 + x * BYTES_PER_PIXEL;
      pixels[offset] = Math.floor((255 * x) / width);
      pixels[offset + 1] = Math.floor((255 * y) / height);
      pixels[offset + 2] = blue;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per channel, RGB.
  header.set([8, 2], 8);
  return Buffer.from(
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(pixels, { level: 0 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
};

/** A 16:9 gradient of at least, and only slightly more than, the given bytes. */
export const gradientPngOfSize = (bytes: number, blue?: number): Buffer<ArrayBuffer> => {
  const height = Math.ceil(Math.sqrt((bytes / BYTES_PER_PIXEL) * (9 / 16)));
  return gradientPng(Math.ceil(bytes / BYTES_PER_PIXEL / height), height, blue);
};

/** The types of the top-level boxes, and whether the last one ends at the end of the file. */
const topBoxes = (bytes: Buffer): { readonly types: readonly string[]; readonly whole: boolean } => {
  const types: string[] = [];
  let offset = 0;
  while (offset + 16 <= bytes.length) {
    const short = bytes.readUInt32BE(offset);
    const size = short === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : short || bytes.length - offset;
    types.push(bytes.toString('latin1', offset + 4, offset + 8));
    if (size < 8) return { types, whole: false };
    offset += size;
  }
  // The smallest box is an eight-byte header.
  if (offset + 8 === bytes.length) offset += 8;
  return { types, whole: offset === bytes.length };
};

export const expectMp4 = (bytes: Buffer): void => {
  const { types, whole } = topBoxes(bytes);
  const seen = `${bytes.length} bytes with ${types.slice(0, 8).join(', ') || 'no boxes'}`;
  const complete = types[0] === 'ftyp' && types.includes('moov') && types.includes('mdat');
  expectTrue(complete, 'an MP4 of ftyp, moov and mdat', seen);
  expectTrue(whole, 'a whole MP4', `a truncated one: ${seen}`);
};
