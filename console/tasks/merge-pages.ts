import type { Page, Video } from '../api/shapes.ts';

type VideoPage = Page<Video>;

/** The first page as it is now, and what it held below the reach of the new answer. */
const mergeFirst = (known: VideoPage, fresh: VideoPage): VideoPage | undefined => {
  const ids = new Set(fresh.data.map(({ id }) => id));
  const end = known.data.findLastIndex(({ id }) => ids.has(id));
  return end < 0 ? undefined : { ...known, data: [...fresh.data, ...known.data.slice(end + 1)] };
};

/** Pages with one of them asked for again. A first page that joins nowhere, or is all there is, replaces them. */
export const mergePages = (
  pages: readonly VideoPage[],
  index: number,
  fresh: VideoPage,
): readonly VideoPage[] => {
  const known = pages[index];
  if (known === undefined) return pages;
  if (index > 0) return pages.with(index, { ...fresh, last_id: known.last_id, has_more: known.has_more });
  const first = fresh.has_more ? mergeFirst(known, fresh) : undefined;
  return first === undefined ? [fresh] : pages.with(0, first);
};

/** All tasks of the pages, each once: after a deletion a page reaches into the next one. */
export const tasksOf = (pages: readonly VideoPage[]): readonly Video[] => {
  const videos = new Map<string, Video>();
  for (const video of pages.flatMap(({ data }) => data))
    if (!videos.has(video.id)) videos.set(video.id, video);
  return [...videos.values()];
};
