import { ANY_VIDEO_MODEL, pixelSizes } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';

/** How long the last videos took, as the basis of estimates. */

/** Older ones say little about now. */
const MOST = 20;

type Taken = Pick<VideoObject, 'model' | 'size' | 'timeline'>;

const toResolution = (size: string): string | undefined => pixelSizes(ANY_VIDEO_MODEL).get(size)?.resolution;

/** The value below which this share of the values is. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? 0;

export type Durations = {
  /** Of how many videos. */
  readonly count: number;
  /** Milliseconds from the request to the video: the median. */
  readonly whole: number;
  /** Milliseconds from the submit to the video: the median, and what only one in ten exceeds. */
  readonly generation: number;
  readonly long: number;
};

/** Undefined if the account has no finished video of this model and resolution. */
export const findDurations = (
  videos: readonly Taken[],
  { model, size }: Pick<VideoObject, 'model' | 'size'>,
): Durations | undefined => {
  const times = videos
    .filter((video) => video.model === model && toResolution(video.size) === toResolution(size))
    .flatMap(({ timeline }) => {
      const { created_at = 0, submitted_at = null, completed_at = null } = timeline ?? {};
      return submitted_at === null || completed_at === null
        ? []
        : [{ whole: completed_at - created_at, generation: completed_at - submitted_at }];
    })
    .slice(0, MOST);
  if (times.length === 0) return undefined;
  const generations = times.map(({ generation }) => generation * 1000);
  return {
    count: times.length,
    whole: quantile(
      times.map(({ whole }) => whole * 1000),
      0.5,
    ),
    generation: quantile(generations, 0.5),
    long: quantile(generations, 0.9),
  };
};
