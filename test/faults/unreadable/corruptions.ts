import assert from 'node:assert/strict';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../../functions/platform/aws/attributes.ts';

/** Ways in which one attribute of an item can be corrupt. */
export const FAULTS = ['is missing', 'has the wrong type', 'is absurd'] as const;
type Fault = (typeof FAULTS)[number];

export type Corruption = { readonly path: string; readonly fault: Fault };

const WRONG_TYPE = (value: AttributeValue): AttributeValue =>
  value.S === undefined ? { S: 'seven' } : { N: '7' };

/** DynamoDB takes all of these; undefined where every value makes sense. */
const ABSURD = ({ S, N, M, L }: AttributeValue): AttributeValue | undefined => {
  if (S !== undefined) return { S: 'absurd ⁇ value' };
  if (N !== undefined) return { N: '9'.repeat(38) };
  if (M !== undefined) return { M: {} };
  return L === undefined ? undefined : { L: [{ NULL: true }] };
};

const change = (value: AttributeValue, fault: Fault): AttributeValue | undefined => {
  if (fault === 'is missing') return undefined;
  return fault === 'is absurd' ? ABSURD(value) : WRONG_TYPE(value);
};

/** Each attribute, those of the maps within included, with each fault that it can have; `keys` cannot be corrupt. */
export const corruptionsIn = (item: Attributes, keys: readonly string[], within = ''): Corruption[] =>
  Object.entries(item).flatMap(([name, value]) => {
    const path = `${within}${name}`;
    if (keys.includes(path)) return [];
    const inner = value.M === undefined ? [] : corruptionsIn(value.M, keys, `${path}.`);
    const own = FAULTS.filter((fault) => fault !== 'is absurd' || ABSURD(value) !== undefined);
    return [...own.map((fault) => ({ path, fault })), ...inner];
  });

/** The item with this one fault. */
export const corrupt = (item: Attributes, { path, fault }: Corruption): Attributes => {
  const [name = '', ...rest] = path.split('.');
  const value = item[name] ?? assert.fail(path);
  const others = Object.entries(item).filter(([other]) => other !== name);
  const changed =
    rest.length === 0 ? change(value, fault) : { M: corrupt(value.M ?? {}, { path: rest.join('.'), fault }) };
  return Object.fromEntries(changed === undefined ? others : [...others, [name, changed]]);
};
