import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Video } from '../api/shapes.ts';
import { usePages } from '../api/use-pages.ts';
import { videoPages } from '../api/videos.ts';
import { Empty } from '../parts/empty.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { useNow } from '../parts/use-now.ts';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { tasksOf } from './merge-pages.ts';
import { SearchNote } from './search-note.tsx';
import { NO_FILTERS, TaskFilters } from './task-filters.tsx';
import { TaskRow } from './task-row.tsx';
import { toTaskFilter, useFilters } from './use-filters.ts';
import { useLivePages } from './use-live-pages.ts';

const AGE_MS = 30_000;

const matches = ({ prompt, id }: Video, search: string): boolean =>
  search === '' ||
  prompt.toLocaleLowerCase().includes(search.toLocaleLowerCase()) ||
  id.includes(search.trim());

const Nothing = ({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }) =>
  filtered ? (
    <Empty title={texts.tasks.noMatchTitle} text={texts.tasks.noMatchText}>
      <button type="button" class="button" onClick={onClear}>
        {texts.tasks.clear}
      </button>
    </Empty>
  ) : (
    <Empty title={texts.tasks.emptyTitle} text={texts.tasks.emptyText}>
      <Link class="button button-primary" href="/playground/video">
        {texts.tasks.toPlayground}
      </Link>
    </Empty>
  );

/** The same elements for the same tasks: then nothing below is compared again. */
const useRows = (videos: readonly Video[], search: string) => {
  const now = useNow(AGE_MS);
  return useMemo(
    () =>
      videos
        .filter((video) => matches(video, search))
        .map((video) => <TaskRow key={video.id} video={video} now={now} />),
    [videos, search, now],
  );
};

export const Tasks = () => {
  const [filters, setFilters] = useFilters();
  const filter = toTaskFilter(filters);
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(videoPages, filter);
  const liveError = useLivePages(filter);
  const loaded = useMemo(() => tasksOf(pages ?? []), [pages]);
  const rows = useRows(loaded, filters.search);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const problem = error ?? liveError;
  const more = { isBusy: isLoadingMore, onMore: () => void loadMore() };
  return (
    <>
      <PageTitle title={texts.tasks.title} description={texts.tasks.description} />
      <TaskFilters filters={filters} onChange={setFilters} />
      <div class="stack">
        {problem !== null && <ErrorProblem error={problem} retry={refetch} />}
        {pages === undefined && error === null && <Waiting />}
        {pages !== undefined && filters.search !== '' && (
          <SearchNote search={filters.search} searched={loaded.length} isAll={!hasMore} {...more} />
        )}
        {pages !== undefined && rows.length === 0 && !hasMore && (
          <Nothing filtered={isFiltered} onClear={() => setFilters(NO_FILTERS)} />
        )}
        {rows.length > 0 && <ul class="task-list">{rows}</ul>}
        {hasMore && filters.search === '' && <LoadMore {...more} />}
      </div>
    </>
  );
};
