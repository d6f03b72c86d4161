import { type DomainError, invalidField } from './errors.ts';

export type PageQuery = { readonly limit: number; readonly after: string | undefined };
export type Page<T> = {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Where the next page starts, if items beyond this page were read and skipped. */
  readonly resumeAfter?: string | undefined;
};

export const invalidAfter = (what: string): DomainError =>
  invalidField('after', `after must be the id of ${what}, such as last_id of the previous page.`);

/** The items after the given one, which need not match the filters of the list. */
export const itemsAfter = <T extends { readonly id: string }>(
  all: readonly T[],
  after: string | undefined,
  what: string,
): readonly T[] => {
  const position = all.findIndex(({ id }) => id === after);
  if (after !== undefined && position === -1) throw invalidAfter(what);
  return all.slice(position + 1);
};

/** The first items; reads one more to find out whether there is a next page. */
export const firstPage = async <T>(all: AsyncIterable<T>, limit: number): Promise<Page<T>> => {
  const items: T[] = [];
  for await (const item of all) {
    if (items.length === limit) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
};

/** A page of a list that is short enough to be read as a whole. */
export const toPage = <T extends { readonly id: string }>(
  all: readonly T[],
  { limit, after }: PageQuery,
  what: string,
): Page<T> => {
  const wanted = itemsAfter(all, after, what);
  return { items: wanted.slice(0, limit), hasMore: wanted.length > limit };
};
