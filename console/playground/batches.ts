import type { VideoObject } from '../../functions/videos/api/video-object.ts';

type Made = Pick<VideoObject, 'id' | 'prompt' | 'model' | 'size' | 'seconds' | 'created_at' | 'request'>;

/** Either all variations have a seed, or the deployment offers none. */
const hasSeed = ({ request }: Made): boolean => typeof request?.seed === 'number';

/** Variations are requested at the same time; a busy service accepts them within seconds. */
const MAX_SECONDS_APART = 20;

/** Whether two videos are variations of each other: the same request, with other seeds, at the same time. */
export const isSameBatch = (one: Made, other: Made): boolean =>
  one.prompt === other.prompt &&
  one.model === other.model &&
  one.size === other.size &&
  one.seconds === other.seconds &&
  one.request?.mode === other.request?.mode &&
  hasSeed(one) === hasSeed(other) &&
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
