import {
  DEFAULT_IMAGE_SIZE,
  IMAGE_ASPECT_RATIOS,
  IMAGE_SIZES,
  type ImageAspectRatio,
  type ImageSize,
} from '../../functions/images/domain/image-request.ts';

export const IMAGE_DRAFT = 'image-draft';
export const MAX_INPUTS = 8;

export type ImageForm = {
  readonly prompt: string;
  readonly aspectRatio: ImageAspectRatio;
  readonly imageSize: ImageSize;
};

export type ImageFiles = { readonly inputs: readonly File[] };
export const NO_INPUTS: ImageFiles = { inputs: [] };

export const readImageForm = (stored: Readonly<Record<string, unknown>>): ImageForm => ({
  prompt: typeof stored.prompt === 'string' ? stored.prompt : '',
  aspectRatio: IMAGE_ASPECT_RATIOS.find((ratio) => ratio === stored.aspectRatio) ?? '1:1',
  imageSize: IMAGE_SIZES.find((size) => size === stored.imageSize) ?? DEFAULT_IMAGE_SIZE,
});
