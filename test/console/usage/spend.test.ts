import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  axisTicks,
  CONSOLE_GROUP,
  groupTotals,
  imagesByDay,
  secondsByDay,
  spendByDay,
  spreadLabels,
  sum,
} from '../../../console/usage/spend.ts';

const result = (decimal: string, line_item: string) => ({
  amount: { value: Number(decimal), currency: 'usd', decimal },
  line_item,
  api_key_id: null,
  user_id: null,
  quantity: 1,
});

const DAY = 86_400;
const BUCKETS = [
  { start_time: 0, end_time: DAY, results: [result('0.10', 'a'), result('0.20', 'b'), result('0.039', 'a')] },
  { start_time: DAY, end_time: 2 * DAY, results: [] },
  { start_time: 2 * DAY, end_time: 3 * DAY, results: [result('0.70', 'b')] },
];

test('amounts are summed as exact decimals, and groups sorted by total, largest first', () => {
  const days = spendByDay(BUCKETS, 'line_item');
  assert.deepEqual(Object.fromEntries(days[0]?.amounts ?? []), { a: '0.139', b: '0.20' });
  assert.equal(sum(days.flatMap(({ amounts }) => [...amounts.values()])), '1.039');
  assert.deepEqual(groupTotals(days), [
    ['b', '0.90'],
    ['a', '0.139'],
  ]);
});

test('seconds and images are summed by model or by key', () => {
  const use = { num_model_requests: 1, model: 'a', api_key_id: 'key_1', user_id: null };
  const videos = [
    { ...use, seconds: 8 },
    { ...use, api_key_id: 'key_2', seconds: 4 },
  ];
  const days = [{ start_time: 0, results: videos }];
  assert.deepEqual(groupTotals(secondsByDay(days, 'line_item')), [['a', '12']]);
  assert.deepEqual(groupTotals(secondsByDay(days, 'api_key_id')), [
    ['key_1', '8'],
    ['key_2', '4'],
  ]);
  const images = [{ start_time: 0, results: [{ ...use, images: 2 }] }];
  assert.deepEqual(groupTotals(imagesByDay(images, 'api_key_id')), [['key_1', '2']]);
});

test('all sessions of the console are one group', () => {
  const results = ['sess_1', 'sess_2', 'key_1'].map((key) => ({ ...result('1', 'a'), api_key_id: key }));
  const [day] = spendByDay([{ start_time: 0, results }], 'api_key_id');
  assert.deepEqual(Object.fromEntries(day?.amounts ?? []), { [CONSOLE_GROUP]: '2', key_1: '1' });
});

for (const [most, ticks] of [
  [0, ['0', '1']],
  [1.6, ['0.0', '0.5', '1.0', '1.5', '2.0']],
  [0.134, ['0.00', '0.05', '0.10', '0.15']],
  [4, ['0', '1', '2', '3', '4']],
  [99.6, ['0', '50', '100']],
  [0.3, ['0.00', '0.10', '0.20', '0.30']],
] as const)
  test(`the values up to ${most} have the labels ${ticks.join(', ')}`, () => {
    assert.deepEqual(axisTicks(most), ticks);
  });

test('labels of days keep their distance', () => {
  const days = Array.from({ length: 30 }, (_, index) => index);
  assert.deepEqual(
    spreadLabels(days, 4).map(({ item, width }) => [item, width]),
    [
      [0, 8],
      [8, 8],
      [16, 8],
      [24, 6],
    ],
  );
  assert.deepEqual(spreadLabels(['only'], 5), [{ item: 'only', index: 0, width: 1 }]);
});
