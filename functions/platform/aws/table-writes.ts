import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, type Values } from './attributes.ts';

/** Conditions and changes as DynamoDB expressions. */

/** Expressions name values as `:now` for the value `now`, and reserved words as `#role` for the attribute `role`. */
export type Placeholders = {
  readonly values?: Values;
  /** Attributes that are not called as in the expression, such as `{ committed: 'committed#2026-11' }`. */
  readonly names?: Readonly<Record<string, string>>;
};

export type Condition = Placeholders & {
  /** Such as `attribute_not_exists(id)`. */
  readonly when?: string;
  /** Returns the stored item if the condition fails. */
  readonly returnsItem?: boolean;
};

/** Of an item whose key has an `id`. */
export const IS_NEW: Condition = { when: 'attribute_not_exists(id)' };

export type Change = Condition & {
  /** An undefined value removes the attribute. */
  readonly set?: Values;
  /** Numbers that are added to attributes, and elements that are added to sets. */
  readonly add?: Values;
  readonly remove?: readonly string[];
  /** An update expression for everything else, such as `SET starts = if_not_exists(starts, :none)`. */
  readonly expression?: string;
};

/** DynamoDB rejects empty lists of placeholders, and names that no expression uses. */
export const placeholders = (expressions: string, { names = {}, values }: Placeholders) => {
  const used = expressions.match(/#\w+/g)?.map((name) => [name, names[name.slice(1)] ?? name.slice(1)]);
  return {
    ExpressionAttributeNames: used && Object.fromEntries(used),
    ExpressionAttributeValues: values && encodePlaceholders(values),
  };
};

const encodePlaceholders = (values: Values): Attributes | undefined => {
  const encoded = encode(
    Object.fromEntries(Object.entries(values).map(([name, each]) => [`:${name}`, each])),
  );
  return Object.keys(encoded).length === 0 ? undefined : encoded;
};

const toCondition = ({ when, returnsItem = false, ...given }: Condition) => ({
  ConditionExpression: when,
  ...(returnsItem && ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const)),
  ...placeholders(when ?? '', given),
});

const toUpdate = ({ set = {}, add = {}, remove = [], expression, ...condition }: Change) => {
  const changed = [...Object.keys(set), ...Object.keys(add), ...remove];
  const [kept, removed] = [true, false].map((isKept) =>
    Object.keys(set).filter((name) => (set[name] !== undefined) === isKept),
  );
  /** Attributes can have names that are no placeholders. */
  const place = (name: string): string => `change${changed.indexOf(name)}`;
  const section = (verb: string, names: readonly string[] = [], toPart: (place: string) => string) =>
    names.length === 0 ? [] : [`${verb} ${names.map((name) => toPart(place(name))).join(', ')}`];
  const UpdateExpression = [
    ...(expression === undefined ? [] : [expression]),
    ...section('SET', kept, (at) => `#${at} = :${at}`),
    ...section('ADD', Object.keys(add), (at) => `#${at} :${at}`),
    ...section('REMOVE', [...(removed ?? []), ...remove], (at) => `#${at}`),
  ].join(' ');
  const { when, names, values } = condition;
  return {
    ...toCondition(condition),
    UpdateExpression,
    ...placeholders([UpdateExpression, when].join(' '), {
      names: { ...names, ...Object.fromEntries(changed.map((name) => [place(name), name])) },
      values: {
        ...values,
        ...Object.fromEntries(
          Object.entries({ ...set, ...add }).map(([name, value]) => [place(name), value]),
        ),
      },
    }),
  };
};

/** Writes for a transaction, or for a table's `attempt`. */

export const putWrite = (table: string, Item: Attributes, condition: Condition = {}) => ({
  Put: { TableName: table, Item, ...toCondition(condition) },
});

export const updateWrite = (table: string, key: Values, change: Change) => ({
  Update: { TableName: table, Key: encode(key), ...toUpdate(change) },
});

export const removeWrite = (table: string, key: Values, condition: Condition = {}) => ({
  Delete: { TableName: table, Key: encode(key), ...toCondition(condition) },
});

export const checkWrite = (
  table: string,
  key: Values,
  condition: Condition & { readonly when: string },
): TransactWriteItem => ({
  ConditionCheck: {
    TableName: table,
    Key: encode(key),
    ...toCondition(condition),
    ConditionExpression: condition.when,
  },
});
