import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Attributes,
  amount,
  amountOrNull,
  boolean,
  encode,
  list,
  map,
  month,
  number,
  oneOf,
  optional,
  sum,
  text,
  textOrNull,
  time,
} from '../../../../functions/platform/aws/attributes.ts';

test('encode writes DynamoDB attributes and omits undefined values', () => {
  const values = {
    text: '',
    number: 0,
    no: false,
    none: null,
    list: ['a', undefined, 1],
    map: { in: 1, out: undefined },
  };
  assert.deepEqual(encode({ ...values, missing: undefined }), {
    text: { S: '' },
    number: { N: '0' },
    no: { BOOL: false },
    none: { NULL: true },
    list: { L: [{ S: 'a' }, { N: '1' }] },
    map: { M: { in: { N: '1' } } },
  });
});

describe('an attribute reader', () => {
  const LETTERS = ['a', 'b'] as const;
  const READERS: readonly (readonly [
    name: string,
    read: (from: Attributes, name: string) => unknown,
    stored: Attributes[string],
    value: unknown,
    corrupt: readonly Attributes[string][],
  ])[] = [
    ['text', text, { S: '' }, '', [{ N: '1' }, { NULL: true }]],
    ['number', number, { N: '0' }, 0, [{ S: '1' }, { N: 'x' }]],
    ['a large number', number, { N: '9007199254740991' }, 2 ** 53 - 1, [{ N: '9007199254740992' }]],
    ['time', time, { N: '8640000000000000' }, 8.64e15, [{ N: '8640000000000001' }, { N: '-1' }, { S: '1' }]],
    [
      'month',
      month,
      { S: '2026-12' },
      '2026-12',
      ['2026-13', '2026-00', '6-12', '2026-1', 'x2026-12', '2026-12-01'].map((S) => ({ S })),
    ],
    ['amount', amount, { S: '0.07' }, '0.07', [{ S: 'x' }, { S: '' }, { N: '1' }]],
    ['amountOrNull', amountOrNull, { NULL: true }, null, [{ S: 'x' }, { N: '1' }]],
    ['amountOrNull with an amount', amountOrNull, { S: '1' }, '1', [{ S: 'x' }]],
    ['sum', sum, { N: '0.07' }, '0.07', [{ S: '1' }, { N: '1e400' }]],
    ['boolean', boolean, { BOOL: false }, false, [{ S: 'false' }]],
    ['map', map, { M: { in: { S: 'a' } } }, { in: { S: 'a' } }, [{ L: [] }]],
    ['textOrNull', textOrNull, { NULL: true }, null, [{ N: '1' }, { BOOL: true }]],
    ['oneOf with texts', (...at) => oneOf(...at, LETTERS), { S: 'b' }, 'b', [{ S: 'c' }, { N: '1' }]],
    ['oneOf with numbers', (...at) => oneOf(...at, [4, 8]), { N: '8' }, 8, [{ N: '6' }, { S: '8' }]],
    ['list', (...at) => list(...at, text), { L: [{ S: 'b' }] }, ['b'], [{ S: 'b' }, { L: [{ N: '1' }] }]],
  ];
  for (const [name, read, stored, value, wrong] of READERS)
    test(`${name} rejects a missing attribute and one of another type`, () => {
      assert.deepEqual(read({ field: stored }, 'field'), value);
      for (const item of [{}, ...wrong.map((field) => ({ field }))])
        assert.throws(
          () => read(item, 'field'),
          /^Error: the stored item is corrupt: field$/,
          JSON.stringify(item),
        );
    });

  test('optional returns undefined for a missing attribute, and rejects one of another type', () => {
    assert.equal(optional({}, 'field', text), undefined);
    assert.equal(optional({ field: { S: 'a' } }, 'field', text), 'a');
    assert.throws(() => optional({ field: { N: '1' } }, 'field', text), /corrupt: field/);
  });
});
