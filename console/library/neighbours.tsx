import { useEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { ArrowLeft, ArrowRight } from '../page-icons.mjs';
import { texts } from '../texts/texts.ts';
import type { LibraryItem } from './items.ts';
import { lastFilters, useOwnFilters } from './library-filters.tsx';
import { useLibrary } from './use-library.ts';

/** Whether an arrow key belongs to the focused control: a text, a choice, a player, or an open dialog. */
const usesArrows = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, video, audio, dialog, [role="tablist"], pre, .prompt-text') !==
    null;

/** Replaces the entry of the history, so that Back still returns to the library. */
const keepState = () => ({ replace: true, state: history.state });

/** The items before and after this one in the library as it was last shown, also with the arrow keys. */
export const Neighbours = ({ id }: { readonly id: string }) => {
  const [, navigate] = useLocation();
  const { items = [], hasMore, isLoadingMore, loadMore } = useLibrary(useOwnFilters(lastFilters()));
  const index = items.findIndex((item) => item.id === id);
  const [before, after] = index < 0 ? [] : [items[index - 1], items[index + 1]];
  const needsMore = index >= 0 && after === undefined && hasMore && !isLoadingMore;
  useEffect(() => {
    if (needsMore) loadMore();
  }, [needsMore]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const wanted = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
      const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (wanted === undefined || hasModifier || event.defaultPrevented || usesArrows(event.target)) return;
      event.preventDefault();
      navigate(`/library/${wanted.id}`, keepState());
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [before, after]);
  if (before === undefined && after === undefined) return null;
  return (
    <nav class="row" aria-label={texts.library.neighbours}>
      <Neighbour item={before} rel="prev" />
      <Neighbour item={after} rel="next" />
    </nav>
  );
};

const Neighbour = ({
  item,
  rel,
}: {
  readonly item: LibraryItem | undefined;
  readonly rel: 'prev' | 'next';
}) => {
  if (item === undefined) return null;
  const label = rel === 'prev' ? texts.library.previous : texts.library.next;
  return (
    <Link class="button button-small" href={`/library/${item.id}`} {...keepState()}>
      {rel === 'prev' && <ArrowLeft size={15} aria-hidden />}
      {label}
      {rel === 'next' && <ArrowRight size={15} aria-hidden />}
    </Link>
  );
};
