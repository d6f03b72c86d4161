import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  committedName,
  createsName,
  earlierMonths,
  keyOfApiKey,
  outdatedNames,
  readCommitted,
  readCreates,
  readLimits,
  readUse,
  readVideos,
} from '../../../../functions/accounts/adapters/dynamo-accounts.ts';
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

describe('the item of an account', () => {
  /** 2026-03-01T00:01:30Z, in minute 29538721. */
  const AT = Date.UTC(2026, 2, 1, 0, 1, 30);
  const MINUTE = AT / 60_000 - 0.5;

  test('has a counter for each month and minute, and one for each key with a budget', () => {
    assert.deepEqual([committedName('2026-03'), createsName(AT)], ['committed#2026-03', `creates#${MINUTE}`]);
    assert.deepEqual(keyOfApiKey({ account: 'acme', keyId: 'key_1' }), { account: { S: 'acme#key_1' } });
  });

  test('tells its limits: none, its own, or that a default does not hold', () => {
    assert.deepEqual(readLimits({}), {
      monthlyBudget: undefined,
      videosAtOnce: undefined,
      createsPerMinute: undefined,
    });
    assert.deepEqual(
      readLimits({ monthlyBudget: { S: '5' }, videosAtOnce: { N: '0' }, createsPerMinute: { NULL: true } }),
      {
        monthlyBudget: '5',
        videosAtOnce: 0,
        createsPerMinute: null,
      },
    );
  });

  test('tells what it has used, which is nothing where nothing is counted', () => {
    const item = {
      'committed#2026-03': { N: '3.20' },
      [`creates#${MINUTE}`]: { N: '4' },
      videos: { N: '2' },
    };
    const reservation = {
      id: 'r',
      kind: 'videos',
      account: 'acme',
      keyId: 'key_1',
      countsForKey: true,
      month: '2026-03',
      amount: '1',
      taskId: 'task_1',
      at: AT,
    } as const;
    assert.deepEqual(readUse(item, { 'committed#2026-03': { N: '1.5' } }, reservation), {
      committed: '3.20',
      committedByKey: '1.5',
      videos: 2,
      creates: 4,
    });
    assert.deepEqual([readCommitted({}, '2026-03'), readCreates({}, AT), readVideos({})], ['0', 0, 0]);
  });

  test('has counters out of date two minutes or two months later', () => {
    const names = [
      'account',
      'videos',
      `creates#${MINUTE}`,
      `creates#${MINUTE - 1}`,
      `creates#${MINUTE - 2}`,
      'committed#2026-03',
      'committed#2026-02',
      'committed#2026-01',
      'committed#2025-12',
      'monthlyBudget',
    ];
    const item = Object.fromEntries(names.map((name) => [name, { N: '1' }]));
    assert.deepEqual(outdatedNames(item, AT), [
      `creates#${MINUTE - 2}`,
      'committed#2026-01',
      'committed#2025-12',
    ]);
  });

  test('loses 50 counters at a time', () => {
    const item = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [`creates#${minute}`, { N: '1' }]),
    );
    assert.equal(outdatedNames(item, AT).length, 50);
  });

  test('loses the counters of the year before the last month, unread', () => {
    const months = earlierMonths('2026-03');
    assert.deepEqual(
      [months[0], months.at(-1), months.length],
      ['committed#2026-01', 'committed#2025-02', 12],
    );
  });
});
