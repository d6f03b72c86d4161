import * as z from 'zod/mini';
import { DomainError, invalidField } from '../domain/errors.ts';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
export const ORDERS = ['asc', 'desc'] as const;
const WHOLE_NUMBER = /^[1-9]\d{0,2}$/;

export type ListQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
};

export const readLimit = (
  query: (name: string) => string | undefined,
  most = MAX_LIMIT,
  fallback = DEFAULT_LIMIT,
): number => {
  const limit = query('limit') ?? String(fallback);
  if (!WHOLE_NUMBER.test(limit) || Number(limit) > most)
    throw invalidField('limit', `limit must be a whole number from 1 to ${most}.`);
  return Number(limit);
};

const UNIX_SECONDS = /^(?:0|[1-9]\d{0,10})$/;

/** In milliseconds; undefined if the parameter is absent. */
export const readTime = (query: (name: string) => string | undefined, name: string): number | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!UNIX_SECONDS.test(value))
    throw invalidField(name, `${name} must be a Unix timestamp in whole seconds, such as 1767225600.`);
  return Number(value) * 1000;
};

/** Only kept items, or only others; undefined for all. */
export const readKept = (query: (name: string) => string | undefined): boolean | undefined => {
  const value = query('kept');
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalidField('kept', 'kept must be one of true, false.');
  return value === 'true';
};

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export const readIdempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined || PRINTABLE.test(header)) return header;
  throw new DomainError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
};

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
