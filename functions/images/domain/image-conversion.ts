import type { ImageType } from '../../platform/domain/models.ts';

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

/** Whether the image can be passed on unchanged. */
export const isAlready = (mimeType: ImageType, { format, quality }: ImageConversion): boolean =>
  mimeType === `image/${format}` && (format === 'png' || (quality ?? BEST_QUALITY) === BEST_QUALITY);
