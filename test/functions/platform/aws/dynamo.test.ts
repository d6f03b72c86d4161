import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Attributes,
  allItems,
  boolean,
  encode,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  textOrNull,
  texts,
} from '../../../../functions/platform/aws/dynamo.ts';

test('values are written as DynamoDB has them, and what is undefined is left out', () => {
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

describe('an attribute', () => {
  const LETTERS = ['a', 'b'] as const;
  const READERS: readonly (readonly [
    name: string,
    read: (from: Attributes, name: string) => unknown,
    stored: Attributes[string],
    value: unknown,
    corrupt: readonly Attributes[string][],
  ])[] = [
    ['a text', text, { S: '' }, '', [{ N: '1' }, { NULL: true }]],
    ['a number', number, { N: '0' }, 0, [{ S: '1' }, { N: 'x' }]],
    ['a boolean', boolean, { BOOL: false }, false, [{ S: 'false' }]],
    ['a map', map, { M: { in: { S: 'a' } } }, { in: { S: 'a' } }, [{ L: [] }]],
    ['a list of maps', maps, { L: [{ M: {} }] }, [{}], [{ M: {} }, { L: [{ S: 'a' }] }]],
    ['a text or nothing', textOrNull, { NULL: true }, null, [{ N: '1' }, { BOOL: true }]],
    ['one of a few texts', (...at) => oneOf(...at, LETTERS), { S: 'b' }, 'b', [{ S: 'c' }, { N: '1' }]],
    ['one of a few numbers', (...at) => oneOf(...at, [4, 8]), { N: '8' }, 8, [{ N: '6' }, { S: '8' }]],
    [
      'some of a few texts',
      (...at) => texts(...at, LETTERS),
      { L: [{ S: 'b' }] },
      ['b'],
      [{ S: 'b' }, { L: [{ S: 'c' }] }],
    ],
  ];
  for (const [name, read, stored, value, wrong] of READERS)
    test(`that is ${name} is read, and is corrupt where it is missing or something else`, () => {
      assert.deepEqual(read({ field: stored }, 'field'), value);
      for (const item of [{}, ...wrong.map((field) => ({ field }))])
        assert.throws(
          () => read(item, 'field'),
          /^Error: the stored item is corrupt: field$/,
          JSON.stringify(item),
        );
    });

  test('that is optional is undefined if missing, and corrupt if it has another type', () => {
    assert.equal(optional({}, 'field', text), undefined);
    assert.equal(optional({ field: { S: 'a' } }, 'field', text), 'a');
    assert.throws(() => optional({ field: { N: '1' } }, 'field', text), /corrupt: field/);
  });
});

test('pages are read one after the other, from the given place, until there is none', async () => {
  const item = (id: string): Attributes => ({ id: { S: id } });
  const starts: unknown[] = [];
  const read = async (start: Attributes | undefined) => {
    starts.push(start);
    if (starts.length === 1) return { Items: [item('a')], LastEvaluatedKey: item('a') };
    if (starts.length === 2) return { LastEvaluatedKey: item('b') };
    return { Items: [item('c')] };
  };
  assert.deepEqual(await Array.fromAsync(allItems(read, (each) => each, item('0'))), [item('a'), item('c')]);
  assert.deepEqual(starts, [item('0'), item('a'), item('b')]);
});
