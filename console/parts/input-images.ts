/** Images that are pasted or dropped anywhere on the page go to the drop zones, which are listed here in their order. */

export type Zone = {
  /** How many images fit. */
  readonly room: number;
  readonly add: (images: readonly File[]) => void;
};

const zones: { current: Zone }[] = [];
/** Images that wait for a page to show a zone. */
let waiting: readonly File[] = [];

/**
 * Each zone receives the images that fit. The others go to the last zone, which says why it refuses them. Returns
 * false if there is no zone yet: the first one receives all images.
 */
export const placeImages = (images: readonly File[]): boolean => {
  if (zones.length === 0) {
    waiting = images;
    return false;
  }
  const rooms = zones.map(({ current }) => current.room);
  let start = 0;
  for (const [index, { current }] of zones.entries()) {
    const isLast = index === zones.length - 1;
    const end = isLast ? images.length : Math.min(images.length, start + (rooms[index] ?? 0));
    if (end > start) current.add(images.slice(start, end));
    start = end;
  }
  return true;
};

/** Returns a function that removes the zone. */
export const addZone = (zone: { current: Zone }): (() => void) => {
  zones.push(zone);
  const images = waiting;
  waiting = [];
  if (images.length > 0) placeImages(images);
  return () => {
    zones.splice(zones.indexOf(zone), 1);
  };
};

export type Size = { readonly width: number; readonly height: number };
export type Crop = Size & { readonly x: number; readonly y: number };

/** A difference that nobody sees is not worth a warning. */
const TOLERANCE = 0.01;

/**
 * The part of an image that a video of this aspect ratio shows; undefined if it shows all of it. The upstreams take the
 * center; another position, from 0 to 1, is cut out before.
 */
export const findCrop = ({ width, height }: Size, ratio: string, position = 0.5): Crop | undefined => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const wanted = across / down;
  const cropped = {
    width: Math.min(width, height * wanted),
    height: Math.min(height, width / wanted),
  };
  const isSame = cropped.width > width * (1 - TOLERANCE) && cropped.height > height * (1 - TOLERANCE);
  if (isSame || width === 0 || height === 0) return undefined;
  return { ...cropped, x: (width - cropped.width) * position, y: (height - cropped.height) * position };
};

/** The shape of the result, to which its input images can be cropped. */
export type FrameOptions = {
  readonly ratio: string;
  /** Those that can be chosen. */
  readonly ratios: readonly string[];
  readonly onRatio: (ratio: string) => void;
  /** Generators of images take inputs of any shape; those of videos crop them. */
  readonly usesWhole: boolean;
};

export const toFrame = <Ratio extends string>(
  ratio: Ratio,
  ratios: readonly Ratio[],
  onRatio: (ratio: Ratio) => void,
  usesWhole = false,
): FrameOptions => ({
  ratio,
  ratios,
  onRatio: (chosen) => {
    for (const known of ratios) if (known === chosen) onRatio(known);
  },
  usesWhole,
});
