import { readImageHeader } from '../../../functions/catalogue/domain/input-image.ts';
import { type AspectRatio, type ImageSize, imagePixels } from '../../../lib/sample-generator/image-sizes.ts';

export const IMAGE_MODEL = 'image-3.1-flash-image-preview';

const DATA_URI = /data:(image\/[a-z]+);base64,([A-Za-z0-9+/=]+)/g;

/** `image/jpeg 688x384`, read from the bytes themselves. */
export const describePicture = (base64: string | undefined): string => {
  const header = readImageHeader(Buffer.from(base64 ?? '', 'base64'));
  if (header === undefined || !header.whole) return 'no whole image';
  return `${header.mimeType} ${header.width}x${header.height}`;
};

/** The pictures inside a text as data URIs. */
export const picturesIn = (text: string | null | undefined): string[] =>
  Array.from((text ?? '').matchAll(DATA_URI), ([, , base64]) => describePicture(base64));

export const expectedPicture = (aspectRatio: AspectRatio, imageSize: ImageSize): string => {
  const { width, height } = imagePixels(aspectRatio, imageSize);
  return `image/jpeg ${width}x${height}`;
};
