import type { Logger } from '../domain/ports.ts';
import type { Attributes } from './attributes.ts';

/** Reads of many items: one that cannot be read must not keep the others from being read. */

type Page = { readonly Items?: Attributes[] | undefined; readonly LastEvaluatedKey?: Attributes | undefined };

/** Undefined for an item that is left out. */
export type ReadItem<T> = (item: Attributes) => T | undefined;

type Source = {
  readonly logger: Pick<Logger, 'error'>;
  readonly table: string;
  /** The names of the table's key, which tells an operator which item to look at. */
  readonly key: readonly string[];
};

/** Logs an item that cannot be read by its key, never by its content, counts it and leaves it out. */
export const skipUnreadable =
  <T>({ logger, table, key }: Source, read: ReadItem<T>): ReadItem<T> =>
  (item) => {
    try {
      return read(item);
    } catch (error) {
      logger.error('item not readable', error, {
        table,
        key: key.map((name) => item[name]?.S ?? '').join('/'),
      });
      return undefined;
    }
  };

/** The readable ones of the items that a page holds. */
export const readItems = <T>({ Items = [] }: Page, read: ReadItem<T>): T[] =>
  Items.map(read).filter((found) => found !== undefined);

/** The items of a whole query or scan; the next page is read when the one before is used up. */
export const allItems = async function* <T>(
  readPage: (start: Attributes | undefined) => Promise<Page>,
  read: ReadItem<T>,
  first?: Attributes,
): AsyncGenerator<T> {
  let start = first;
  do {
    const page = await readPage(start);
    yield* readItems(page, read);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
};
