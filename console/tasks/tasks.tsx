import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/errors.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useNow } from '../api/clock.ts';
import { usePages } from '../api/use-query.ts';
import { videoPages } from '../api/videos.ts';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatAge, formatNumber, formatSize, formatTime } from '../parts/format.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { formatCharge, StatusBadge, shownPrompt } from '../parts/video-stage.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { uniqueTasks } from './merge-pages.ts';
import { NO_FILTERS, TaskFilters, toTaskFilter, useFilters } from './task-filters.tsx';
import { useLivePages } from './use-live-pages.ts';

const AGE_UPDATE_MS = 30_000;
const MAX_PROMPT_SHOWN = 200;

const matches = ({ prompt, id }: VideoObject, search: string): boolean =>
  search === '' ||
  prompt.toLocaleLowerCase().includes(search.toLocaleLowerCase()) ||
  id.includes(search.trim());

const NoTasks = ({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }) =>
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

const TaskRow = ({ video, now }: { readonly video: VideoObject; readonly now: number }) => (
  <li class="task-row">
    <StatusBadge status={video.status} />
    <div class="task-main">
      <Link class="task-link" href={`/tasks/${video.id}`} dir="auto">
        {truncate(shownPrompt(video), MAX_PROMPT_SHOWN)}
      </Link>
      <span class="quiet small">{video.model}</span>
    </div>
    <span class="quiet small number task-size">{formatSize(video.size)}</span>
    <span class="number small task-cost">{formatCharge(video)}</span>
    <time
      class="quiet small task-age"
      dateTime={new Date(video.created_at * 1000).toISOString()}
      title={formatTime(video.created_at)}
    >
      {formatAge(video.created_at, now)}
    </time>
  </li>
);

/** Memoized, so that unchanged rows are not rendered again. */
const useRows = (videos: readonly VideoObject[], search: string) => {
  const now = useNow(AGE_UPDATE_MS);
  return useMemo(
    () =>
      videos
        .filter((video) => matches(video, search))
        .map((video) => <TaskRow key={video.id} video={video} now={now} />),
    [videos, search, now],
  );
};

const TASK_ID = /^task_[0-9a-z]{26}$/;

type SearchProps = {
  readonly search: string;
  readonly searched: number;
  readonly isAll: boolean;
  readonly isBusy: boolean;
  readonly onMore: () => void;
};

/** Says how many tasks were searched in the browser, and offers to load more. */
const SearchNote = ({ search, searched, isAll, isBusy, onMore }: SearchProps) => {
  const id = search.trim();
  const count = formatNumber(searched);
  return (
    <div class="row" role="status">
      <p class="hint">{isAll ? texts.tasks.searchedAll(count) : texts.tasks.searchedSome(count)}</p>
      {!isAll && (
        <button type="button" class="button button-small" disabled={isBusy} onClick={onMore}>
          {isBusy ? texts.states.loading : texts.tasks.searchOlder}
        </button>
      )}
      {TASK_ID.test(id) && (
        <Link class="button button-small" href={`/tasks/${id}`}>
          {texts.video.openTask}
        </Link>
      )}
    </div>
  );
};

export const Tasks = () => {
  const [filters, setFilters] = useFilters();
  const filter = toTaskFilter(filters);
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(videoPages, filter);
  const liveError = useLivePages(filter);
  const loaded = useMemo(() => uniqueTasks(pages ?? []), [pages]);
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
          <NoTasks filtered={isFiltered} onClear={() => setFilters(NO_FILTERS)} />
        )}
        {rows.length > 0 && <ul class="task-list">{rows}</ul>}
        {hasMore && filters.search === '' && <LoadMore {...more} />}
      </div>
    </>
  );
};
