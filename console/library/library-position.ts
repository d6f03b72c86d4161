import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { LibraryItem } from './items.ts';

/**
 * Where each visit of the library was left, by its entry in the history, so that Back returns to the same place. Heights
 * of cards outside of the view are estimates, so an item is remembered instead of a distance from the top.
 */
type Position = {
  readonly id: string;
  /** Its distance from the top of the window. */
  readonly top: number;
  /** Its place in the list, for an item that is deleted meanwhile. */
  readonly index: number;
  /** How many items were loaded. */
  readonly count: number;
  /** Whether the item was opened: then it gets the focus again. */
  readonly isOpened: boolean;
};

/** Looking for the item in the middle takes longer than a frame allows. */
const SCROLL_PAUSE_MS = 100;

const positions = new Map<string, Position>();

const entryState = (): { readonly entry?: unknown; readonly isFromLibrary?: unknown } =>
  Object(history.state);

/** The name of the current entry in the history, which gets one if it has none. */
const entryName = (): string => {
  const { entry } = entryState();
  if (typeof entry === 'string') return entry;
  const name = crypto.randomUUID();
  history.replaceState({ ...entryState(), entry: name }, '');
  return name;
};

/** The state of a detail page that was opened from the library. */
export const FROM_LIBRARY = { isFromLibrary: true } as const;

/** Returns to the library as it was left. False if the page was opened from elsewhere. */
export const returnToLibrary = (): boolean => {
  if (entryState().isFromLibrary !== true) return false;
  history.back();
  return true;
};

const findItem = (place: Element | null): HTMLElement | undefined => {
  const item = place?.closest('[data-item]');
  return item instanceof HTMLElement ? item : undefined;
};

type Listed = {
  /** The filters as the address has them. */
  readonly query: string;
  readonly items: readonly LibraryItem[];
  readonly hasMore: boolean;
  readonly loadMore: () => void;
};

export const useLibraryPosition = ({ query, items, hasMore, loadMore }: Listed): void => {
  const entry = useRef('');
  const wanted = useRef<Position | undefined>(undefined);
  const listed = useRef(items);
  listed.current = items;

  useLayoutEffect(() => {
    entry.current = entryName();
    wanted.current = positions.get(entry.current);
  }, [query]);

  // After the layout effect of the title, which takes the focus and scrolls to the top.
  useEffect(() => {
    // Without items, they are still loading.
    if (wanted.current === undefined || items.length === 0) return;
    const { id, top, index, count, isOpened } = wanted.current;
    const isThere = items.some((item) => item.id === id);
    if (!isThere && hasMore && items.length < count) {
      loadMore();
      return;
    }
    wanted.current = undefined;
    const found = isThere ? id : items[Math.min(index, items.length - 1)]?.id;
    const card = document.querySelector<HTMLElement>(`[data-item="${found}"]`);
    if (card === null) return;
    scrollBy({ top: card.getBoundingClientRect().top - top, behavior: 'instant' });
    if (isOpened) card.querySelector('a')?.focus({ preventScroll: true });
  }, [query, items, hasMore]);

  useEffect(() => {
    const note = (card: HTMLElement | undefined, isOpened: boolean): void => {
      if (card === undefined || wanted.current !== undefined) return;
      const { item: id = '' } = card.dataset;
      const index = listed.current.findIndex((item) => item.id === id);
      const { top } = card.getBoundingClientRect();
      positions.set(entry.current, { id, top, index, count: listed.current.length, isOpened });
    };
    let pause: ReturnType<typeof setTimeout> | undefined;
    const noteMiddle = (): void => {
      // After a click on a link, the library is still shown for a moment.
      if (entryState().entry !== entry.current) return;
      note(findItem(document.elementFromPoint(innerWidth / 2, innerHeight / 2)), false);
    };
    const onScroll = (): void => {
      clearTimeout(pause);
      pause = setTimeout(noteMiddle, SCROLL_PAUSE_MS);
    };
    const onClick = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('a') !== null) note(findItem(target), true);
    };
    // The browser's own restoration comes later, and knows only the distance from the top.
    history.scrollRestoration = 'manual';
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('click', onClick, { capture: true });
    return () => {
      clearTimeout(pause);
      // For the next page, which has its entry by now.
      history.scrollRestoration = 'auto';
      removeEventListener('scroll', onScroll);
      removeEventListener('click', onClick, { capture: true });
    };
  }, []);
};
