import * as z from 'zod/mini';

/** Lists and timestamps in the format of OpenAI's API. */

export const listSchema = <Item extends z.core.$ZodType>(item: Item, description: string) =>
  z
    .object({
      object: z.literal('list'),
      data: z.array(item),
      first_id: z.nullable(z.string()),
      last_id: z.nullable(z.string()),
      has_more: z.boolean(),
    })
    .check(z.describe(description));

export const listObject = <Item extends { readonly id: string }>(data: Item[], hasMore: boolean) => ({
  object: 'list' as const,
  data,
  first_id: data.at(0)?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
export const toSecondsOrNull = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : toSeconds(milliseconds);
