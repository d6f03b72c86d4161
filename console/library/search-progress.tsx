import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatDate, formatNumber } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';
import { itemPrompt, type LibraryItem } from './items.ts';

const ITEM_ID = /^(?:task|file)_[0-9a-z]{26}$/;

export const matchesSearch = (item: LibraryItem, search: string): boolean =>
  search === '' ||
  itemPrompt(item).toLocaleLowerCase().includes(search.toLocaleLowerCase()) ||
  item.id.includes(search.trim());

type Props = {
  readonly search: string;
  readonly items: readonly LibraryItem[];
  readonly found: number;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly hasFailed: boolean;
  readonly loadMore: () => void;
};

/** Searches older and older items until it is stopped, and says how far it is. */
export const SearchProgress = (props: Props) => {
  const { search, items, found, hasMore, isLoadingMore, hasFailed, loadMore } = props;
  const [stoppedFor, setStoppedFor] = useState<string>();
  const isStopped = stoppedFor === search;
  const isSearching = hasMore && !isStopped && !hasFailed;
  useEffect(() => {
    if (isSearching && !isLoadingMore) loadMore();
  }, [isSearching, isLoadingMore, items]);
  const id = search.trim();
  const oldest = items.at(-1)?.createdAt;
  const [matches, searched] = [formatNumber(found), formatNumber(items.length)];
  return (
    <div class="row">
      <p class="hint number" role="status">
        {hasMore
          ? texts.library.searched(matches, searched, oldest === undefined ? undefined : formatDate(oldest))
          : texts.library.searchedAll(matches, searched)}
      </p>
      {hasMore && (
        <button
          type="button"
          class="button button-small"
          onClick={() => setStoppedFor(isStopped ? undefined : search)}
        >
          {isStopped ? texts.library.searchOlder : texts.library.stopSearch}
        </button>
      )}
      {ITEM_ID.test(id) && (
        <Link class="button button-small" href={`/library/${id}`}>
          {texts.library.open}
        </Link>
      )}
    </div>
  );
};
