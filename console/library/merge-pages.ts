/** A page of a list that can be continued after `last_id`. */
export type ListPage<Item> = {
  readonly data: readonly Item[];
  readonly last_id: string | null;
  readonly has_more: boolean;
};
type Identified = { readonly id: string };

/** The new first page, followed by the known items that it does not reach. */
const mergeFirst = <Page extends ListPage<Identified>>(known: Page, fresh: Page): Page | undefined => {
  const ids = new Set(fresh.data.map(({ id }) => id));
  const end = known.data.findLastIndex(({ id }) => ids.has(id));
  return end < 0 ? undefined : { ...known, data: [...fresh.data, ...known.data.slice(end + 1)] };
};

/** Replaces one page. A new first page that does not overlap the known one, or is the last, replaces all pages. */
export const mergePages = <Page extends ListPage<Identified>>(
  pages: readonly Page[],
  index: number,
  fresh: Page,
): readonly Page[] => {
  const known = pages[index];
  if (known === undefined) return pages;
  if (index > 0) return pages.with(index, { ...fresh, last_id: known.last_id, has_more: known.has_more });
  const first = fresh.has_more ? mergeFirst(known, fresh) : undefined;
  return first === undefined ? [fresh] : pages.with(0, first);
};

/** All items without duplicates: after a deletion, a page overlaps the next one. */
export const uniqueItems = <Item extends Identified>(pages: readonly ListPage<Item>[]): readonly Item[] => {
  const items = new Map<string, Item>();
  for (const item of pages.flatMap(({ data }) => data)) if (!items.has(item.id)) items.set(item.id, item);
  return [...items.values()];
};

/** The pages without some items, which were deleted. */
export const withoutItems = <Page extends ListPage<Identified>>(
  pages: readonly Page[],
  ids: ReadonlySet<string>,
): readonly Page[] => pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) }));
