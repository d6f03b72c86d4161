export type Size = { readonly width: number; readonly height: number };
export type Crop = Size & { readonly x: number; readonly y: number };

/** A difference that nobody sees is not worth a warning. */
const TOLERANCE = 0.01;

/** The centered part of an image that a video of this aspect ratio shows; undefined if it shows all of it. */
export const findCrop = ({ width, height }: Size, ratio: string): Crop | undefined => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const wanted = across / down;
  const cropped = {
    width: Math.min(width, height * wanted),
    height: Math.min(height, width / wanted),
  };
  const isSame = cropped.width > width * (1 - TOLERANCE) && cropped.height > height * (1 - TOLERANCE);
  if (isSame || width === 0 || height === 0) return undefined;
  return { ...cropped, x: (width - cropped.width) / 2, y: (height - cropped.height) / 2 };
};
