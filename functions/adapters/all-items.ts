import type { Attributes } from './attributes.ts';

type Page = { readonly Items?: Attributes[] | undefined; readonly LastEvaluatedKey?: Attributes | undefined };

/** Every item of a query or a scan; the next page is read when the one before is used up. */
export const allItems = async function* (
  read: (start: Attributes | undefined) => Promise<Page>,
  first?: Attributes,
): AsyncGenerator<Attributes> {
  let start = first;
  do {
    const page = await read(start);
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
};
