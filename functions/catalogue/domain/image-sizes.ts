export const IMAGE_ASPECT_RATIOS = [
  '1:1',
  '1:4',
  '4:1',
  '1:8',
  '8:1',
  '2:3',
  '3:2',
  '3:4',
  '4:3',
  '4:5',
  '5:4',
  '9:16',
  '16:9',
  '21:9',
] as const;
export type ImageAspectRatio = (typeof IMAGE_ASPECT_RATIOS)[number];

export const IMAGE_SIZES = ['512', '1K', '2K', '4K'] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];
/** Made by the upstream, and charged, if the request has no size. */
export const DEFAULT_IMAGE_SIZE: ImageSize = '1K';

export type ImageConfig = {
  readonly aspectRatio: ImageAspectRatio | undefined;
  readonly imageSize: ImageSize | undefined;
};

/** Pixels of each aspect ratio at 1K; the other sizes are multiples of them. */
const PIXELS_AT_1K = {
  '1:1': [1024, 1024],
  '1:4': [512, 2048],
  '4:1': [2048, 512],
  '1:8': [384, 3072],
  '8:1': [3072, 384],
  '2:3': [848, 1264],
  '3:2': [1264, 848],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1376],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
} as const satisfies Record<ImageAspectRatio, readonly [width: number, height: number]>;

const FACTORS = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 } as const satisfies Record<ImageSize, number>;

const NAMED_CONFIGS: ReadonlyMap<string, ImageConfig> = new Map<string, ImageConfig>([
  ['auto', { aspectRatio: undefined, imageSize: undefined }],
  ...IMAGE_ASPECT_RATIOS.map((aspectRatio) => [aspectRatio, { aspectRatio, imageSize: undefined }] as const),
  ...IMAGE_SIZES.map((imageSize) => [imageSize, { aspectRatio: undefined, imageSize }] as const),
]);

/** Values of the field `size` besides pixels. */
export const SIZE_NAMES: readonly string[] = [...NAMED_CONFIGS.keys()];

export const PIXELS = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;

/** Sizes of other image models differ slightly from ours: 1792x1024 is 1.6 % from 16:9. */
export const RATIO_TOLERANCE_PERCENT = 3;

/** How far two numbers are apart, as a factor of at least 1. */
export const factorBetween = (one: number, other: number): number => Math.max(one / other, other / one);

export const nearest = <T>(candidates: readonly T[], distance: (candidate: T) => number): T | undefined =>
  candidates.toSorted((one, other) => distance(one) - distance(other))[0];

export const ratioValue = (aspectRatio: ImageAspectRatio): number => {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  return width / height;
};

/** The nearest aspect ratio and resolution; undefined if no ratio is near enough. */
const fromPixels = (width: number, height: number): ImageConfig | undefined => {
  const distance = (aspectRatio: ImageAspectRatio) => factorBetween(ratioValue(aspectRatio), width / height);
  const aspectRatio = nearest(IMAGE_ASPECT_RATIOS, distance);
  if (aspectRatio === undefined || distance(aspectRatio) > 1 + RATIO_TOLERANCE_PERCENT / 100)
    return undefined;
  const [widthAt1K, heightAt1K] = PIXELS_AT_1K[aspectRatio];
  const factor = Math.sqrt((width * height) / (widthAt1K * heightAt1K));
  return { aspectRatio, imageSize: nearest(IMAGE_SIZES, (size) => factorBetween(FACTORS[size], factor)) };
};

/** Reads the field `size`: an aspect ratio, a resolution, or pixels, which stand for both. */
export const readImageSize = (size: string): ImageConfig | undefined => {
  const [, width, height] = PIXELS.exec(size) ?? [];
  return width === undefined || height === undefined
    ? NAMED_CONFIGS.get(size)
    : fromPixels(Number(width), Number(height));
};

/** Pixels such as `1376x768`, for upstreams that have no ratios; undefined if the client leaves both open. */
export const imagePixels = ({ aspectRatio, imageSize }: ImageConfig): string | undefined => {
  if (aspectRatio === undefined && imageSize === undefined) return undefined;
  const [width, height] = PIXELS_AT_1K[aspectRatio ?? '1:1'];
  const factor = FACTORS[imageSize ?? DEFAULT_IMAGE_SIZE];
  return `${width * factor}x${height * factor}`;
};
