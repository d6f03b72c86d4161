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

type Known = { readonly field: string; readonly rank: number };
/** A name in the body; the lowest rank takes precedence. */
type Written = { readonly name: string; readonly rank: number };

const indexNames = (fields: readonly string[], spellings: Spellings): ReadonlyMap<string, Known> => {
  const index = new Map<string, Known>();
  for (const field of fields)
    for (const [rank, written] of writtenNames(field, spellings).entries())
      if (!index.has(written)) index.set(written, { field, rank });
  return index;
};

/** The name that counts, of several under which a field was sent; different values are refused. */
const chooseName = (place: BodyFields, sent: readonly Written[], context: NotingPayload): Written[] => {
  const [first, ...others] = sent.toSorted((one, other) => one.rank - other.rank);
  if (first === undefined) return [];
  for (const { name } of others)
    if (!isSame(ownField(place, first.name), ownField(place, name)))
      refuse(context, `and ${first.name} differ: send one of them.`, { path: [name] });
  return [first];
};

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
    const sent = new Map<string, Written[]>();
    const strangers: string[] = [];
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined || (nullIsAbsent && item === null)) continue;
      const known = index.get(name);
      if (known === undefined) strangers.push(name);
      else {
        const written = { name, rank: known.rank };
        const others = sent.get(known.field);
        if (others === undefined) sent.set(known.field, [written]);
        else others.push(written);
      }
    }
    if (strangers.length > 0) readUnknown(value, strangers, context);
    const fields: Record<string, unknown> = {};
    for (const [field, all] of sent) {
      const chosen = all.length === 1 || merged.includes(field) ? all : chooseName(value, all, context);
      const items = chosen.map(({ name }) => {
        if (ignored.has(field)) context.ignored.note(value, name);
        const item = ownField(value, name);
        return conversions[name]?.(item) ?? item;
      });
      fields[field] = items.length === 1 ? items[0] : items.flat();
    }
    return fields;
  };
};
