import {
  IMAGE_ASPECT_RATIOS,
  IMAGE_SIZES,
  type ImageAspectRatio,
  type ImageConfig,
  type ImageSize,
} from './image-request.ts';

/** Pixels of each aspect ratio at 1K, as the upstream makes them; the other sizes are multiples of it. */
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

const pixelsOf = (aspectRatio: ImageAspectRatio, imageSize: ImageSize): string => {
  const [width, height] = PIXELS_AT_1K[aspectRatio];
  return `${width * FACTORS[imageSize]}x${height * FACTORS[imageSize]}`;
};

type NamedSize = readonly [name: string, config: ImageConfig];

/** The standard sizes of other image models, by their ratio: these are not quite the pixels that are made. */
const STANDARD: readonly NamedSize[] = [
  ['1536x1024', { aspectRatio: '3:2', imageSize: '1K' }],
  ['1024x1536', { aspectRatio: '2:3', imageSize: '1K' }],
];

/** What one word can say of an image's size: a ratio, a resolution, or the pixels of both. */
export const NAMED_SIZES: ReadonlyMap<string, ImageConfig> = new Map<string, ImageConfig>([
  ['auto', { aspectRatio: undefined, imageSize: undefined }],
  ...STANDARD,
  ...IMAGE_ASPECT_RATIOS.map(
    (aspectRatio): NamedSize => [aspectRatio, { aspectRatio, imageSize: undefined }],
  ),
  ...IMAGE_SIZES.map((imageSize): NamedSize => [imageSize, { aspectRatio: undefined, imageSize }]),
  ...IMAGE_SIZES.flatMap((imageSize) =>
    IMAGE_ASPECT_RATIOS.map(
      (aspectRatio): NamedSize => [pixelsOf(aspectRatio, imageSize), { aspectRatio, imageSize }],
    ),
  ),
]);
