import { MAX_SEED } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';

type Made = Pick<VideoObject, 'id' | 'prompt' | 'model' | 'size' | 'seconds' | 'created_at' | 'request'>;

const MAX_VARIATIONS = 4;

/** Variations are requested at the same time; a busy service accepts them within seconds. */
const MAX_SECONDS_APART = 20;
/** Without seeds, a request that was repeated a little later looks like a variation. */
const MAX_SECONDS_WITHOUT_SEEDS = 2;

/** The seeds of variations count up. */
const haveSeedsOfBatch = (one: Made, other: Made): boolean => {
  const [seed, otherSeed] = [one.request?.seed ?? undefined, other.request?.seed ?? undefined];
  if (seed === undefined || otherSeed === undefined)
    return seed === otherSeed && Math.abs(one.created_at - other.created_at) <= MAX_SECONDS_WITHOUT_SEEDS;
  const apart = Math.abs(seed - otherSeed);
  return Math.min(apart, MAX_SEED + 1 - apart) < MAX_VARIATIONS;
};

/** Whether two videos are variations of each other: the same request, with other seeds, at the same time. */
export const isSameBatch = (one: Made, other: Made): boolean =>
  one.prompt === other.prompt &&
  one.model === other.model &&
  one.size === other.size &&
  one.seconds === other.seconds &&
  one.request?.mode === other.request?.mode &&
  haveSeedsOfBatch(one, other) &&
  Math.abs(one.created_at - other.created_at) <= MAX_SECONDS_APART;

/** About the first `count` videos: a batch is not cut apart. */
export const takeBatches = <Video extends Made>(
  videos: readonly Video[],
  count: number,
): readonly Video[] => {
  let end = Math.min(count, videos.length);
  for (let last = videos[end - 1], next = videos[end]; last !== undefined && next !== undefined; ) {
    if (!isSameBatch(last, next)) break;
    end += 1;
    [last, next] = [next, videos[end]];
  }
  return videos.slice(0, end);
};
