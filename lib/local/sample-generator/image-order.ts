import type { StoredPicture } from './pictures.ts';
import type { Wishes } from './wishes.ts';

/** A checked request for an image. */
export type ImageOrder = {
  readonly model: string;
  readonly prompt: string;
  readonly wishes: Wishes;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly references: readonly StoredPicture[];
};
