import type { ImageType } from './models.ts';

/** The formats in which a client can have its image. */
export const OUTPUT_FORMATS = ['jpeg', 'png', 'webp'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The best quality. The upstream's image has it already, so it is only encoded again for another format. */
export const BEST_QUALITY = 100;

export type ImageConversion = {
  readonly format: OutputFormat;
  /** 0–100, default 100. PNG is lossless and ignores it. */
  readonly quality?: number | undefined;
};

export type EncodedImage = { readonly mimeType: string; readonly base64: string };

/** Rejects with an UnreadableImage if the image cannot be decoded. */
export type ImageConverter = (image: EncodedImage, conversion: ImageConversion) => Promise<EncodedImage>;

/** Returns a small WebP image; rejects with an UnreadableImage if the bytes cannot be decoded. */
export type ImageShrinker = (bytes: Uint8Array) => Promise<Uint8Array>;

/** The pixels of an image, four bytes each: red, green, blue and alpha. */
export type Pixels = {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
};

export class UnreadableImage extends Error {}

export const isAlready = (mimeType: ImageType, { format, quality }: ImageConversion): boolean =>
  mimeType === `image/${format}` && (format === 'png' || (quality ?? BEST_QUALITY) === BEST_QUALITY);

/** The longer side of a preview: enough for a poster of the console on a screen with two pixels per point. */
export const PREVIEW_SIDE = 480;

type Size = Pick<Pixels, 'width' | 'height'>;

/** The same shape with a longer side of at most `side` pixels. */
export const fitWithin = ({ width, height }: Size, side: number): Size => {
  const scale = Math.min(1, side / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
};

const CHANNELS = 4;

/** Every pixel is the average of those that it covers; colours count by their alpha, so that edges do not darken. */
export const shrink = (pixels: Pixels, side: number): Pixels => {
  const { width, height } = fitWithin(pixels, side);
  if (width === pixels.width && height === pixels.height) return pixels;
  const data = new Uint8ClampedArray(width * height * CHANNELS);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [edge(y, height, pixels.height), edge(y + 1, height, pixels.height)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [edge(x, width, pixels.width), edge(x + 1, width, pixels.width)];
      data.set(average(pixels, { left, right, top, bottom }), (y * width + x) * CHANNELS);
    }
  }
  return { width, height, data };
};

const edge = (at: number, size: number, fullSize: number): number => Math.floor((at * fullSize) / size);

type Box = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

const average = (
  { data, width }: Pixels,
  { left, right, top, bottom }: Box,
): readonly [number, number, number, number] => {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * CHANNELS; at < (y * width + right) * CHANNELS; at += CHANNELS) {
      const weight = data[at + 3] ?? 0;
      red += (data[at] ?? 0) * weight;
      green += (data[at + 1] ?? 0) * weight;
      blue += (data[at + 2] ?? 0) * weight;
      alpha += weight;
    }
  const count = (right - left) * (bottom - top);
  const total = Math.max(1, alpha);
  return [red / total, green / total, blue / total, alpha / count];
};
