import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isAmount } from '../domain/money.ts';

/** An item, or a map within one, in DynamoDB's format. */
export type Attributes = Record<string, AttributeValue>;

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Encoded
  | readonly Value[]
  | { readonly [name: string]: Value };
export type Values = { readonly [name: string]: Value };

/** A value that JavaScript has no type for. */
class Encoded {
  readonly attribute: AttributeValue;
  constructor(attribute: AttributeValue) {
    this.attribute = attribute;
  }
}

/** DynamoDB numbers are exact decimals of 38 digits, so they can hold and compare money. */
export const decimal = (amount: string): Value => new Encoded({ N: amount });

export const textSet = (...texts: string[]): Value => new Encoded({ SS: texts });

const encodeValue = (value: Exclude<Value, undefined>): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Encoded) return value.attribute;
  if (isList(value)) return { L: value.filter((element) => element !== undefined).map(encodeValue) };
  return { M: encode(value) };
};

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Omits undefined values, which DynamoDB does not have. */
export const encode = (values: Values): Attributes => {
  const attributes: Attributes = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) attributes[name] = encodeValue(value);
  }
  return attributes;
};

/** Reads one attribute; a missing attribute or one of another type makes the item corrupt. */
type Read<T> = (from: Attributes, name: string) => T;

export const corrupt = (name: string): Error => new Error(`the stored item is corrupt: ${name}`);

const reader =
  <T>(pick: (attribute: AttributeValue) => T | undefined, isValid = (_: T) => true): Read<T> =>
  (from, name) => {
    const attribute = from[name];
    const value = attribute && pick(attribute);
    if (value === undefined || !isValid(value)) throw corrupt(name);
    return value;
  };

export const text = reader(({ S }) => S);

/** DynamoDB stores up to 38 digits, which a JavaScript number cannot hold. */
export const number = reader(
  ({ N }) => Number(N),
  (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER,
);

/** The latest time that a Date can hold. */
const LAST_MOMENT = 8.64e15;

/** Milliseconds since the epoch, possibly with a fraction. */
export const time = reader(
  ({ N }) => Number(N),
  (value) => value >= 0 && value <= LAST_MOMENT,
);

export const boolean = reader(({ BOOL }) => BOOL);

export const map = reader(({ M }) => M);

export const textOrNull: Read<string | null> = (from, name) =>
  from[name]?.NULL === true ? null : text(from, name);

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** A UTC month, such as `2026-11`. */
export const month = reader(
  ({ S }) => S,
  (value) => MONTH.test(value),
);

/** A decimal amount stored as text. */
export const amount = reader(({ S }) => S, isAmount);

export const amountOrNull: Read<string | null> = (from, name) =>
  from[name]?.NULL === true ? null : amount(from, name);

/** A decimal amount stored as a number, because DynamoDB adds to it. */
export const sum = reader(({ N }) => N, isAmount);

/** One of the given values; any other stored value is corrupt. */
export const oneOf = <T extends string | number>(from: Attributes, name: string, values: readonly T[]): T => {
  const { S, N } = from[name] ?? {};
  for (const value of values) if (typeof value === 'string' ? value === S : String(value) === N) return value;
  throw corrupt(name);
};

const elements = reader(({ L }) => L);

/** A list whose elements are all of one type. */
export const list = <T>(from: Attributes, name: string, read: Read<T>): readonly T[] =>
  elements(from, name).map((value) => read({ [name]: value }, name));

export const optional = <T>(from: Attributes, name: string, read: Read<T>): T | undefined =>
  from[name] === undefined ? undefined : read(from, name);

/** Attributes of one type, each under its name. */
export function all<T, Name extends string>(
  from: Attributes,
  read: Read<T>,
  ...names: Name[]
): Record<Name, T>;
export function all(from: Attributes, read: Read<unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, read(from, name)]));
}

export const allOptional = <T, Name extends string>(from: Attributes, read: Read<T>, ...names: Name[]) =>
  all(from, (item, name) => optional(item, name, read), ...names);

/** For `satisfies`: a function that reads an item leaves out no property, not even an optional one. */
export type Complete<T> = { readonly [Property in keyof Required<T>]: T[Property] };
