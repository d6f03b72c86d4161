import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  groupTotals,
  imagesByDay,
  lastDays,
  secondsByDay,
  spendByDay,
  sum,
} from '../../../console/usage/spend.ts';

const result = (decimal: string, line_item: string) => ({
  amount: { value: Number(decimal), currency: 'usd', decimal },
  line_item,
  api_key_id: null,
  quantity: 1,
});

const DAY = 86_400;
const BUCKETS = [
  { start_time: 0, end_time: DAY, results: [result('0.10', 'a'), result('0.20', 'b'), result('0.039', 'a')] },
  { start_time: DAY, end_time: 2 * DAY, results: [] },
  { start_time: 2 * DAY, end_time: 3 * DAY, results: [result('0.70', 'b')] },
];

test('amounts are summed as exact decimals', () => {
  const days = spendByDay(BUCKETS, 'line_item');
  assert.deepEqual(
    [...(days[0]?.amounts ?? [])],
    [
      ['a', '0.139'],
      ['b', '0.20'],
    ],
  );
  assert.equal(sum(days.flatMap(({ amounts }) => [...amounts.values()])), '1.039');
});

test('groups are sorted by total, largest first', () => {
  assert.deepEqual(groupTotals(spendByDay(BUCKETS, 'line_item')), [
    ['b', '0.90'],
    ['a', '0.139'],
  ]);
});

test('seconds and images are summed by model or by key', () => {
  const use = { num_model_requests: 1, model: 'a', api_key_id: 'key_1' };
  const bucket = { start_time: 0, end_time: DAY };
  const videos = [
    {
      ...bucket,
      results: [
        { ...use, seconds: 8 },
        { ...use, api_key_id: 'key_2', seconds: 4 },
      ],
    },
  ];
  assert.deepEqual(groupTotals(secondsByDay(videos, 'line_item')), [['a', '12']]);
  assert.deepEqual(groupTotals(secondsByDay(videos, 'api_key_id')), [
    ['key_1', '8'],
    ['key_2', '4'],
  ]);
  const images = [{ ...bucket, results: [{ ...use, images: 2 }] }];
  assert.deepEqual(groupTotals(imagesByDay(images, 'api_key_id')), [['key_1', '2']]);
});

test('a range includes the current UTC day until its last millisecond', () => {
  for (const now of [10 * DAY * 1000, 11 * DAY * 1000 - 1])
    assert.deepEqual(lastDays(now, 7), { start: 4 * DAY, end: 11 * DAY });
});
