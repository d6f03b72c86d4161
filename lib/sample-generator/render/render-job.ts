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
  readonly sound: { readonly sampleRate: number; readonly silent: boolean };
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
