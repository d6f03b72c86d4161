import type * as z from 'zod/mini';
import { type BodyFields, isFields, ownField, type Spellings, writtenNames } from './fields.ts';
import { EFFECTLESS, type NotingPayload } from './ignored-fields.ts';
import { refuse } from './parse.ts';
import { type UnknownFieldRules, unknownFieldReader } from './unknown-fields.ts';

/** How the fields of an object are found in a request. */
export type FieldRules = UnknownFieldRules & {
  readonly spellings?: Spellings;
  /** Changes values under other names into those that the schema reads. */
  readonly conversions?: Readonly<Record<string, (value: unknown) => unknown>>;
  readonly nullIsAbsent?: boolean;
};

/** 8 and "8" are equal; images and files are not compared. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one !== 'object' && typeof other !== 'object' && String(one) === String(other);

type Known = { readonly field: string; readonly rank: number };

const indexNames = (fields: readonly string[], spellings: Spellings): ReadonlyMap<string, Known> => {
  const index = new Map<string, Known>();
  for (const field of fields)
    for (const [rank, written] of writtenNames(field, spellings).entries())
      if (!index.has(written)) index.set(written, { field, rank });
  return index;
};

/** The name under which each field was sent; two names with different values are refused. */
const chooseNames = (
  place: BodyFields,
  sent: readonly (readonly [written: string, known: Known])[],
  context: NotingPayload,
): ReadonlyMap<string, string> => {
  const chosen = new Map<string, string>();
  for (const [written, { field }] of sent.toSorted(([, one], [, other]) => one.rank - other.rank)) {
    const first = chosen.get(field);
    if (first === undefined) chosen.set(field, written);
    else if (!isSame(ownField(place, first), ownField(place, written)))
      refuse(context, `and ${first} differ: send one of them.`, { path: [written] });
  }
  return chosen;
};

export const fieldReader = (shape: z.core.$ZodShape, rules: FieldRules) => {
  const { spellings = {}, conversions = {}, nullIsAbsent = false } = rules;
  const index = indexNames(Object.keys(shape), spellings);
  const schemas = Object.entries(shape);
  const ignored = new Set(
    schemas.flatMap(([field, schema]) => (EFFECTLESS.get(schema)?.as === 'ignored' ? [field] : [])),
  );
  const accepted = schemas.flatMap(([field, schema]) => (EFFECTLESS.has(schema) ? [] : [field]));
  const readUnknown = unknownFieldReader(accepted, rules);

  return (value: unknown, context: NotingPayload): BodyFields => {
    if (!isFields(value)) return refuse(context, value === undefined ? 'is required.' : 'must be an object.');
    const sent: (readonly [written: string, known: Known])[] = [];
    const strangers: string[] = [];
    for (const [written, item] of Object.entries(value)) {
      if (item === undefined || (nullIsAbsent && item === null)) continue;
      const known = index.get(written);
      if (known === undefined) strangers.push(written);
      else sent.push([written, known]);
    }
    readUnknown(value, strangers, context);
    const fields: Record<string, unknown> = {};
    for (const [field, written] of chooseNames(value, sent, context)) {
      if (ignored.has(field)) context.ignored.note(value, written);
      const item = ownField(value, written);
      fields[field] = conversions[written]?.(item) ?? item;
    }
    return fields;
  };
};
