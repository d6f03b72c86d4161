import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayRange, lastDays, utcMonth } from '../../../console/api/days.ts';

const DAY = 86_400;

test('a range includes the current UTC day until its last millisecond', () => {
  for (const now of [10 * DAY * 1000, 11 * DAY * 1000 - 1])
    assert.deepEqual(lastDays(now, 7), { start: 4 * DAY, end: 11 * DAY });
});

test('the current month begins and ends at midnight UTC', () => {
  const november = { start: Date.UTC(2026, 10) / 1000, end: Date.UTC(2026, 11) / 1000 };
  for (const now of [Date.UTC(2026, 10), Date.UTC(2026, 11) - 1]) assert.deepEqual(utcMonth(now), november);
  assert.equal(utcMonth(Date.UTC(2026, 11, 31)).end, Date.UTC(2027, 0) / 1000);
  assert.deepEqual(utcMonth(Date.UTC(2026, 11, 31), 1), november);
});

test('a range has both of its days; a reversed one is none', () => {
  assert.deepEqual(dayRange('2026-11-01', '2026-11-30'), utcMonth(Date.UTC(2026, 10)));
  for (const [from, to] of [
    ['2026-11-02', '2026-11-01'],
    ['', '2026-11-01'],
    ['x', 'y'],
  ] as const)
    assert.equal(dayRange(from, to), undefined);
});
