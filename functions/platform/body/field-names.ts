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
  /** Fields that can be sent under several names at once: their values become one list, in the order of the body. */
  readonly merged?: readonly string[];
};

/** 8 and "8" are equal; images and files are not compared. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one !== 'object' && typeof other !== 'object' && String(one) === String(other);

type Sent = readonly (readonly [written: string, known: Known])[];
type Known = { readonly field: string; readonly rank: number };

const indexNames = (fields: readonly string[], spellings: Spellings): ReadonlyMap<string, Known> => {
  const index = new Map<string, Known>();
  for (const field of fields)
    for (const [rank, written] of writtenNames(field, spellings).entries())
      if (!index.has(written)) index.set(written, { field, rank });
  return index;
};

/** The names under which each field was sent; two with different values are refused, unless the field is merged. */
const chooseNames = (
  place: BodyFields,
  sent: Sent,
  merged: readonly string[],
  context: NotingPayload,
): ReadonlyMap<string, readonly string[]> => {
  const chosen = new Map<string, readonly string[]>();
  for (const [written, { field }] of sent.toSorted(([, one], [, other]) => one.rank - other.rank)) {
    const [first] = chosen.get(field) ?? [];
    if (first === undefined) chosen.set(field, [written]);
    else if (merged.includes(field)) chosen.set(field, namesIn(sent, field));
    else if (!isSame(ownField(place, first), ownField(place, written)))
      refuse(context, `and ${first} differ: send one of them.`, { path: [written] });
  }
  return chosen;
};

const namesIn = (sent: Sent, field: string): readonly string[] =>
  sent.flatMap(([written, known]) => (known.field === field ? [written] : []));

export const fieldReader = (shape: z.core.$ZodShape, rules: FieldRules) => {
  const { spellings = {}, conversions = {}, nullIsAbsent = false, merged = [] } = rules;
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
    for (const [field, names] of chooseNames(value, sent, merged, context)) {
      const items = names.map((written) => {
        if (ignored.has(field)) context.ignored.note(value, written);
        const item = ownField(value, written);
        return conversions[written]?.(item) ?? item;
      });
      fields[field] = items.length === 1 ? items[0] : items.flat();
    }
    return fields;
  };
};
