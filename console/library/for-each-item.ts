import { toError } from '../api/errors.ts';
import type { LibraryItem } from './items.ts';

/** The outcome of an action on several items. */
export type Outcome = {
  readonly done: readonly LibraryItem[];
  readonly failed: readonly { readonly item: LibraryItem; readonly error: Error }[];
};

const AT_ONCE = 4;

/** Runs the action for every item, a few at a time. A failure does not stop the others. */
export const forEachItem = async (
  items: readonly LibraryItem[],
  act: (item: LibraryItem) => Promise<unknown>,
  onProgress: (count: number) => void,
  atOnce = AT_ONCE,
): Promise<Outcome> => {
  const [done, failed]: [LibraryItem[], { item: LibraryItem; error: Error }[]] = [[], []];
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await act(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error: toError(error) });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failed };
};
