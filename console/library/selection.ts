import { useEffect, useState } from 'preact/hooks';
import type { LibraryItem } from './items.ts';

/** The chosen items, outside of the page's state, so that a choice renders one card and not all of them. */
let chosen: ReadonlyMap<string, LibraryItem> = new Map();
const listeners = new Set<() => void>();

const change = (next: ReadonlyMap<string, LibraryItem>): void => {
  chosen = next;
  for (const listener of [...listeners]) listener();
};

export const setChosen = (item: LibraryItem, isChosen: boolean): void => {
  const next = new Map(chosen);
  if (isChosen) next.set(item.id, item);
  else next.delete(item.id);
  change(next);
};

export const chooseOnly = (items: readonly LibraryItem[]): void =>
  change(new Map(items.map((item) => [item.id, item])));

const useChange = <Value>(read: () => Value): Value => {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const listener = (): void => setValue(read);
    listener();
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return value;
};

export const useIsChosen = (id: string): boolean => useChange(() => chosen.has(id));

export const useChosen = (): ReadonlyMap<string, LibraryItem> => useChange(() => chosen);
