import { useMemo } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { Video } from '../api/shapes.ts';
import { useVideos } from '../api/videos.ts';
import { Empty } from '../parts/empty.tsx';
import { formatNumber } from '../parts/format.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { useNow } from '../parts/use-now.ts';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { type Filters, NO_FILTERS, TaskFilters } from '../tasks/task-filters.tsx';
import { TaskRow } from '../tasks/task-row.tsx';
import { texts } from '../texts.ts';

const AGE_MS = 30_000;

/** The filters are in the address, so that a view can be shared and the back button undoes a choice. */
const useFilters = (): readonly [Filters, (change: Partial<Filters>) => void] => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const filters = {
    search: search.get('search') ?? '',
    status: search.get('status') ?? '',
    model: search.get('model') ?? '',
    key: search.get('key') ?? '',
  };
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(next).toString();
    // Typing is not a step to go back to; a choice is.
    navigate(query === '' ? '/tasks' : `/tasks?${query}`, { replace: changed.search !== undefined });
  };
  return [filters, change];
};

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

export const Tasks = () => {
  const [filters, setFilters] = useFilters();
  const now = useNow(AGE_MS);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useVideos({
    status: filters.status,
    model: filters.model,
    api_key_id: filters.key,
  });
  const loaded = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const shown = loaded.filter((video) => matches(video, filters.search));
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageTitle title={texts.tasks.title} />
      <TaskFilters filters={filters} onChange={setFilters} />
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && shown.length === 0 && !hasNextPage && (
          <Nothing filtered={isFiltered} onClear={() => setFilters(NO_FILTERS)} />
        )}
        {shown.length > 0 && (
          <ul class="task-list">
            {shown.map((video) => (
              <TaskRow key={video.id} video={video} now={now} />
            ))}
          </ul>
        )}
        {filters.search !== '' && hasNextPage && (
          <p class="hint">{texts.tasks.searchNote(formatNumber(loaded.length))}</p>
        )}
        {hasNextPage && <LoadMore isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
      </div>
    </>
  );
};
