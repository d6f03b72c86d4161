/** Pixels of each aspect ratio at 1K; other sizes are multiples. */
const AT_1K = {
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
} as const;

const FACTORS = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 } as const;

export type AspectRatio = keyof typeof AT_1K;
export type ImageSize = keyof typeof FACTORS;

export const isAspectRatio = (text: string): text is AspectRatio => Object.hasOwn(AT_1K, text);
export const isImageSize = (text: string): text is ImageSize => Object.hasOwn(FACTORS, text);

export const ASPECT_RATIOS = Object.keys(AT_1K).filter(isAspectRatio);
export const IMAGE_SIZES = Object.keys(FACTORS).filter(isImageSize);

export const imagePixels = (aspectRatio: AspectRatio, size: ImageSize) => {
  const [width, height] = AT_1K[aspectRatio];
  return { width: width * FACTORS[size], height: height * FACTORS[size] };
};
