import { DomainError, invalidField, listed } from '../domain/errors.ts';
import { isOneOf } from '../domain/text.ts';

export type Query = (name: string) => string | undefined;

const UNIX_SECONDS = /^(?:0|[1-9]\d{0,10})$/;

/** In milliseconds; undefined if the parameter is absent. */
export const readTime = (query: Query, name: string): number | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!UNIX_SECONDS.test(value))
    throw invalidField(name, `${name} must be a Unix timestamp in whole seconds, such as 1767225600.`);
  return Number(value) * 1000;
};

/** Undefined if the parameter is absent. */
export const readChoice = <T extends string>(
  query: Query,
  name: string,
  values: readonly T[],
): T | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!isOneOf(values, value)) throw invalidField(name, `${name} must be one of ${listed(values)}.`);
  return value;
};

/** Only kept items, or only others; undefined for all. */
export const readKept = (query: Query): boolean | undefined => {
  const value = readChoice(query, 'kept', ['true', 'false']);
  return value === undefined ? undefined : value === 'true';
};

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export const readIdempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined || PRINTABLE.test(header)) return header;
  throw new DomainError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
};

/** Timestamps in the format of OpenAI's API. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
export const toSecondsOrNull = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : toSeconds(milliseconds);
