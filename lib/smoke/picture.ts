import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

const BYTES_A_PIXEL = 3;

/** A colour gradient as PNG, stored without compression so that its size follows from its pixels. */
export const gradientPng = (width: number, height: number, blue = 128): Buffer<ArrayBuffer> => {
  const row = 1 + width * BYTES_A_PIXEL;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const offset = y * row + 1 + x * BYTES_A_PIXEL;
      pixels[offset] = Math.floor((255 * x) / width);
      pixels[offset + 1] = Math.floor((255 * y) / height);
      pixels[offset + 2] = blue;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel, red, green and blue.
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

/** A gradient in the shape of a video, of at least this many bytes and hardly more. */
export const gradientPngOf = (bytes: number, blue?: number): Buffer<ArrayBuffer> => {
  const height = Math.ceil(Math.sqrt((bytes / BYTES_A_PIXEL) * (9 / 16)));
  return gradientPng(Math.ceil(bytes / BYTES_A_PIXEL / height), height, blue);
};
