import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { useNow } from '../api/clock.ts';
import { LayoutGrid, List } from '../page-icons.mjs';
import { Button, SmallButton } from '../parts/buttons.tsx';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatDate, formatNumber } from '../parts/format.ts';
import { LoadMore } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { ScopeSwitch } from '../parts/scope.tsx';
import { usePersonName } from '../people/names.ts';
import { useHasFeature } from '../session/session.ts';
import { usePreference } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import { COLLECTIONS_PATH } from './collections.tsx';
import { DropTray } from './drop-tray.tsx';
import type { LibraryItem } from './items.ts';
import { BatchCard, batchName, groupBatches, LibraryCard } from './library-card.tsx';
import { LibraryFilters, NO_FILTERS, useFilters, useOwnFilters } from './library-filters.tsx';
import { useLibraryPosition } from './library-position.ts';
import { SelectionBar } from './selection.tsx';
import { forgetItems, type LoadedLibrary, useLibrary } from './use-library.ts';

const AGE_UPDATE_MS = 30_000;

const VIEWS = ['grid', 'list'] as const;
type View = (typeof VIEWS)[number];
const VIEW_ICONS = { grid: LayoutGrid, list: List } as const;

const ViewChoice = ({ view, onChange }: { readonly view: View; readonly onChange: (view: View) => void }) => (
  <fieldset class="view-choice">
    <legend class="visually-hidden">{texts.library.view}</legend>
    {VIEWS.map((name) => {
      const Icon = VIEW_ICONS[name];
      return (
        <label key={name} class="choice" title={texts.library.views[name]}>
          <input
            type="radio"
            name="library-view"
            value={name}
            checked={name === view}
            onChange={() => onChange(name)}
          />
          <span>
            <Icon size={16} aria-hidden />
            <span class="visually-hidden">{texts.library.views[name]}</span>
          </span>
        </label>
      );
    })}
  </fieldset>
);

const NoItems = ({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }) =>
  filtered ? (
    <Empty title={texts.library.noMatchTitle} text={texts.library.noMatchText}>
      <Button onClick={onClear}>{texts.library.clear}</Button>
    </Empty>
  ) : (
    <Empty title={texts.library.emptyTitle} text={texts.library.emptyText}>
      <Link class="button button-primary" href="/playground/video">
        {texts.library.toPlayground}
      </Link>
    </Empty>
  );

const ITEM_ID = /^(?:task|file)_[0-9a-z]{26}$/;

const matchesSearch = (item: LibraryItem, search: string): boolean =>
  search === '' ||
  `${item.name ?? ''}\n${item.prompt}`.toLocaleLowerCase().includes(search.toLocaleLowerCase()) ||
  item.id.includes(search.trim());

type SearchProps = {
  readonly search: string;
  readonly items: readonly LibraryItem[];
  readonly found: number;
  readonly library: LoadedLibrary;
};

/** Searches older and older items until it is stopped, and says how far it is. */
const SearchProgress = ({ search, items, found, library }: SearchProps) => {
  const { hasMore, isLoadingMore, error, loadMore } = library;
  const [stoppedFor, setStoppedFor] = useState<string>();
  const isStopped = stoppedFor === search;
  const isSearching = hasMore && !isStopped && error === null;
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
        <SmallButton onClick={() => setStoppedFor(isStopped ? undefined : search)}>
          {isStopped ? texts.library.searchOlder : texts.library.stopSearch}
        </SmallButton>
      )}
      {ITEM_ID.test(id) && (
        <Link class="button button-small" href={`/library/${id}`}>
          {texts.library.open}
        </Link>
      )}
    </div>
  );
};

/** Batches that show the cards of their items, also after another page was visited. */
let openBatches: ReadonlySet<string> = new Set();

/** Keeps the cards of unchanged items, so that a new page does not render a thousand others again. */
const useCards = (items: readonly LibraryItem[]): readonly VNode[] => {
  const now = useNow(AGE_UPDATE_MS);
  const personName = usePersonName();
  const [open, setOpen] = useState(openBatches);
  const cards = useRef({ now, personName, byItem: new WeakMap<LibraryItem, VNode>() });
  return useMemo(() => {
    if (cards.current.now !== now || cards.current.personName !== personName)
      cards.current = { now, personName, byItem: new WeakMap() };
    const { byItem } = cards.current;
    const toCard = (item: LibraryItem): VNode => {
      const card = byItem.get(item) ?? (
        <LibraryCard key={item.id} item={item} now={now} personName={personName} />
      );
      byItem.set(item, card);
      return card;
    };
    return groupBatches(items).flatMap((batch) => {
      if (batch.length === 1) return batch.map(toCard);
      const name = batchName(batch);
      const isOpen = open.has(name);
      const onToggle = (): void => {
        openBatches = new Set(isOpen ? [...open].filter((other) => other !== name) : [...open, name]);
        setOpen(openBatches);
      };
      return [
        <BatchCard
          key={`${name}-${batch.length}`}
          batch={batch}
          now={now}
          isOpen={isOpen}
          onToggle={onToggle}
        />,
        ...(isOpen ? batch.map(toCard) : []),
      ];
    });
  }, [items, now, personName, open]);
};

/** Fills whole rows of one to six columns. */
const PART = 60;

/** A list of a thousand cards is laid out slowly, so the browser gets parts of it that it can skip. */
const toParts = (cards: readonly VNode[]): readonly (readonly VNode[])[] =>
  Array.from({ length: Math.ceil(cards.length / PART) }, (_, part) =>
    cards.slice(part * PART, (part + 1) * PART),
  );

export const Library = () => {
  const [filters, setFilters] = useFilters();
  const [preference, setView] = usePreference('library-view');
  const view = preference === 'list' ? 'list' : 'grid';
  const shownFilters = useOwnFilters(filters);
  const library = useLibrary(shownFilters);
  const { items, error, hasMore, loadMore } = library;
  const { search } = filters;
  const shown = useMemo(() => items?.filter((item) => matchesSearch(item, search)) ?? [], [items, search]);
  const cards = useCards(shown);
  useLibraryPosition({ query: useSearch(), items: shown, hasMore, loadMore });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageTitle title={texts.navigation.library} description={texts.library.description}>
        <div class="row">
          {useHasFeature('collections') && (
            <Link class="button button-small" href={COLLECTIONS_PATH}>
              {texts.collections.title}
            </Link>
          )}
          <ScopeSwitch />
          <ViewChoice view={view} onChange={setView} />
        </div>
      </PageTitle>
      <DropTray />
      <LibraryFilters filters={filters} onChange={setFilters} />
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={library.refetch} />}
        {items === undefined && <Waiting />}
        {items !== undefined && search !== '' && (
          <SearchProgress search={search} items={items} found={shown.length} library={library} />
        )}
        {items !== undefined && error === null && shown.length === 0 && !hasMore && (
          <NoItems filtered={isFiltered} onClear={() => setFilters(NO_FILTERS)} />
        )}
        <SelectionBar items={shown} onDeleted={(ids) => forgetItems(shownFilters, ids)} />
        {toParts(cards).map((part, index) => (
          <ul key={index} class={`items items-${view}`}>
            {part}
          </ul>
        ))}
        {search === '' && items !== undefined && <LoadMore {...library} />}
      </div>
    </>
  );
};
