import { Link } from 'wouter-preact';
import { formatNumber } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

const TASK_ID = /^task_[0-9a-z]{26}$/;

type Props = {
  readonly search: string;
  readonly searched: number;
  readonly isAll: boolean;
  readonly isBusy: boolean;
  readonly onMore: () => void;
};

/** The server does not search: this says what was looked through, and looks further on request. */
export const SearchNote = ({ search, searched, isAll, isBusy, onMore }: Props) => {
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
