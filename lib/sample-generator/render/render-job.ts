/** An input picture, stored as a file. */
export type Picture = { readonly path: string; readonly format: 'png_pipe' | 'jpeg_pipe' | 'webp_pipe' };

type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly prompt: string;
  readonly label: string;
  readonly seed: number;
  readonly threads: number;
  readonly output: string;
  /** For the scratch files of this job. */
  readonly folder: string;
};

export type VideoJob = Canvas & {
  readonly kind: 'video';
  readonly seconds: number;
  readonly framesPerSecond: number;
  /** Of x264: the larger it is, the smaller and coarser the video. */
  readonly rateFactor: number;
  /** Undefined for a video without a sound track. */
  readonly sound: { readonly sampleRate: number; readonly silent: boolean } | undefined;
  readonly first?: Picture;
  readonly last?: Picture;
  readonly references: readonly Picture[];
};

export type ImageJob = Canvas & { readonly kind: 'image'; readonly references: readonly Picture[] };

export type RenderJob = VideoJob | ImageJob;

export type RenderOutcome =
  | { readonly outcome: 'rendered' }
  | { readonly outcome: 'unreadable-picture' }
  | { readonly outcome: 'failed'; readonly message: string };

/** Reproducible random numbers in [0, 1): the same seed always gives the same picture. */
export const randomStream = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The 32-bit FNV-1a hash. */
export const textSeed = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
};
