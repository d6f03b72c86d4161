import { ANY_VIDEO_MODEL, pixelSizes } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { formatDuration, formatNumber } from './format.ts';

/** How long the last videos or images took, as the basis of estimates. */

/** Older ones say little about now. */
const MOST = 20;

/** The value below which this share of the values is. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? 0;

/** Milliseconds from the request, and from the submit to the upstream. */
type Taken = { readonly whole: number; readonly generation: number };

export type Durations = Taken & {
  /** Of how many. The others are medians of them, and what only one in ten exceeds. */
  readonly count: number;
  readonly long: number;
};

/** Undefined if there is none; the newest come first. */
export const summarize = (all: readonly Taken[]): Durations | undefined => {
  const taken = all.slice(0, MOST);
  const generations = taken.map(({ generation }) => generation);
  return taken.length === 0
    ? undefined
    : {
        count: taken.length,
        whole: quantile(
          taken.map(({ whole }) => whole),
          0.5,
        ),
        generation: quantile(generations, 0.5),
        long: quantile(generations, 0.9),
      };
};

type Finished = Pick<VideoObject, 'model' | 'size' | 'timeline'>;

const toResolution = (size: string): string | undefined => pixelSizes(ANY_VIDEO_MODEL).get(size)?.resolution;

/** Of the videos with this model and resolution. */
export const findDurations = (
  videos: readonly Finished[],
  { model, size }: Pick<VideoObject, 'model' | 'size'>,
): Durations | undefined =>
  summarize(
    videos
      .filter((video) => video.model === model && toResolution(video.size) === toResolution(size))
      .flatMap(({ timeline }) => {
        const { created_at = 0, submitted_at = null, completed_at = null } = timeline ?? {};
        return submitted_at === null || completed_at === null
          ? []
          : [{ whole: (completed_at - created_at) * 1000, generation: (completed_at - submitted_at) * 1000 }];
      }),
  );

/** How long a new one will take. */
export const describeWhole = (known: Durations | undefined): string =>
  known === undefined
    ? texts.estimate.none
    : texts.estimate.whole(formatDuration(known.whole), formatNumber(known.count));

/** How long the one that started so many milliseconds ago still takes. */
export const describeLeft = (known: Durations | undefined, elapsed: number): string => {
  if (known === undefined) return texts.estimate.none;
  if (elapsed > known.long && elapsed > known.generation) return texts.estimate.longer;
  const left = known.generation - elapsed;
  return left > 0 ? texts.estimate.left(formatDuration(left)) : texts.estimate.soon;
};
