import type { Pixels } from '../../../functions/catalogue/domain/image-conversion.ts';

type Color = readonly [red: number, green: number, blue: number, alpha?: number];

/** An image whose pixels are computed from their place. */
export const paint = (width: number, height: number, color: (x: number, y: number) => Color): Pixels => {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha = 255] = color(x, y);
      // As in a byte, values over 255 start again at 0.
      data.set(
        [red, green, blue, alpha].map((value) => value & 255),
        4 * (y * width + x),
      );
    }
  return { width, height, data };
};

/** Smooth, so that its colours survive compression. */
export const GRADIENT = paint(64, 40, (x, y) => [40 + 3 * x, 60 + 4 * y, 180 - x - y]);

export const colorAt = ({ width, data }: Pixels, x: number, y: number): number[] => {
  const at = 4 * (y * width + x);
  return [...data.subarray(at, at + 4)];
};

/** Adds the EXIF orientation to a JPEG, after its first marker. */
export const withOrientation = (orientation: number, jpeg: Uint8Array): Uint8Array => {
  const exif = Buffer.from(
    `ffe10022457869660000${'4d4d002a00000008'}${'0001'}${'01120003000000010000'}0000${'00000000'}`,
    'hex',
  );
  exif.writeUInt16BE(orientation, exif.length - 8);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
};
