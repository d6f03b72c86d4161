import type { VideoList } from '../../functions/videos/api/video-list.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';

/** The new first page, followed by the known tasks that it does not reach. */
const mergeFirst = (known: VideoList, fresh: VideoList): VideoList | undefined => {
  const ids = new Set(fresh.data.map(({ id }) => id));
  const end = known.data.findLastIndex(({ id }) => ids.has(id));
  return end < 0 ? undefined : { ...known, data: [...fresh.data, ...known.data.slice(end + 1)] };
};

/** Replaces one page. A new first page that does not overlap the known one, or is the last, replaces all pages. */
export const mergePages = (
  pages: readonly VideoList[],
  index: number,
  fresh: VideoList,
): readonly VideoList[] => {
  const known = pages[index];
  if (known === undefined) return pages;
  if (index > 0) return pages.with(index, { ...fresh, last_id: known.last_id, has_more: known.has_more });
  const first = fresh.has_more ? mergeFirst(known, fresh) : undefined;
  return first === undefined ? [fresh] : pages.with(0, first);
};

/** All tasks without duplicates: after a deletion, a page overlaps the next one. */
export const uniqueTasks = (pages: readonly VideoList[]): readonly VideoObject[] => {
  const videos = new Map<string, VideoObject>();
  for (const video of pages.flatMap(({ data }) => data))
    if (!videos.has(video.id)) videos.set(video.id, video);
  return [...videos.values()];
};
