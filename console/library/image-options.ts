import type { FileObject } from '../../functions/files/api/file-object.ts';
import {
  IMAGE_ASPECT_RATIOS,
  IMAGE_SIZES,
  type ImageAspectRatio,
  type ImageSize,
} from '../../functions/images/domain/image-request.ts';
import type { ImageForm } from '../images/image-form.ts';

const aspect = (ratio: string): number => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return across / down;
};

/** How far apart two numbers are as a factor. */
const distance = (one: number, other: number): number => Math.abs(Math.log(one / other));

const closest = <Value>(values: readonly Value[], measure: (value: Value) => number): Value | undefined =>
  values.toSorted((one, other) => measure(one) - measure(other))[0];

const SIZE_PIXELS: Readonly<Record<ImageSize, number>> = {
  '512': 512 ** 2,
  '1K': 1024 ** 2,
  '2K': 2048 ** 2,
  '4K': 4096 ** 2,
};

/** The form that creates an image of this size, such as `1376x768`, which the options only approximate. */
export const toImageForm = ({ prompt = '', size = '' }: Pick<FileObject, 'prompt' | 'size'>): ImageForm => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const isKnown = width > 0 && height > 0;
  const ratio: ImageAspectRatio | undefined = isKnown
    ? closest(IMAGE_ASPECT_RATIOS, (value) => distance(aspect(value), width / height))
    : undefined;
  const imageSize = isKnown
    ? closest(IMAGE_SIZES, (value) => distance(SIZE_PIXELS[value], width * height))
    : undefined;
  return { prompt, aspectRatio: ratio ?? '1:1', imageSize: imageSize ?? '1K', count: 1, kept: [] };
};
