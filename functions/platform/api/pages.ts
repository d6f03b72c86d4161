import * as z from 'zod/mini';
import { invalidField } from '../domain/errors.ts';
import { invalidAfter, type Page, type PageQuery } from '../domain/pages.ts';
import { type Query, readChoice } from './parameters.ts';

/** Lists and their pages, and deleted items, in the format of OpenAI's API. */

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
export const ORDERS = ['asc', 'desc'] as const;
const WHOLE_NUMBER = /^[1-9]\d{0,4}$/;

export type ListQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
};

export const readLimit = (query: Query, most = MAX_LIMIT, fallback = DEFAULT_LIMIT): number => {
  const limit = query('limit') ?? String(fallback);
  if (!WHOLE_NUMBER.test(limit) || Number(limit) > most)
    throw invalidField('limit', `limit must be a whole number from 1 to ${most}.`);
  return Number(limit);
};

export const readNewestFirst = (query: Query): boolean => readChoice(query, 'order', ORDERS) !== 'asc';

/** The id after which a page begins. OpenAI's SDK sends an empty one for null. */
const givenAfter = (query: Query): string | undefined => query('after') || undefined;

export const readAfter = (query: Query, isId: (id: string) => boolean, what: string): string | undefined => {
  const after = givenAfter(query);
  if (after === undefined) return undefined;
  if (!isId(after)) throw invalidAfter(what);
  return after;
};

/** For lists that find the id among their items. */
export const readPageQuery = (query: Query): PageQuery => ({
  limit: readLimit(query),
  after: givenAfter(query),
});

type Schema = z.core.$ZodType;

export const toListSchema = <Item extends Schema, Id extends Schema, More extends Schema>(
  item: Item,
  id: Id,
  hasMore: More,
) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.nullable(id),
    last_id: z.nullable(id),
    has_more: hasMore,
  });

export const listSchema = <Item extends Schema>(item: Item, description: string) =>
  toListSchema(item, z.string(), z.boolean()).check(z.describe(description));

export const listObject = <Item extends { readonly id: string }, More extends boolean>(
  data: Item[],
  hasMore: More,
) => ({
  object: 'list' as const,
  data,
  first_id: data.at(0)?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const pageObject = <T, Item extends { readonly id: string }>(
  { items, hasMore, resumeAfter }: Page<T>,
  toObject: (item: T) => Item,
) => {
  const list = listObject(items.map(toObject), hasMore);
  return { ...list, last_id: resumeAfter ?? list.last_id };
};

export const deletion = <Name extends string>(
  object: Name,
  idSchema: z.ZodMiniType<string> = z.string(),
) => ({
  schema: z.object({ id: idSchema, object: z.literal(object), deleted: z.literal(true) }),
  answer: (id: string) => ({ id, object, deleted: true }) as const,
});
