import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dayAfter,
  dayStart,
  isDay,
  monthAfter,
  monthEnd,
  secondsToMinuteEnd,
  secondsUntil,
  toMinute,
  toUtcDay,
  toUtcMonth,
} from '../../../../functions/billing/domain/periods.ts';

/** 2026-11-30, the last millisecond in UTC. */
const MONTH_END = 1_796_083_199_999;

test('days and months are in UTC', () => {
  assert.deepEqual([toUtcDay(MONTH_END), toUtcMonth(MONTH_END)], ['2026-11-30', '2026-11']);
  assert.deepEqual([toUtcDay(MONTH_END + 1), toUtcMonth(MONTH_END + 1)], ['2026-12-01', '2026-12']);
  assert.equal(dayStart('2026-12-01'), 1_796_083_200_000);
});

for (const [text, isGood] of [
  ['2026-11-30', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-02-31', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['today', false],
] as const)
  test(`${text} is ${isGood ? '' : 'not '}a day`, () => {
    assert.equal(isDay(text), isGood);
  });

describe('counting', () => {
  for (const [day, count, after] of [
    ['2026-11-30', 1, '2026-12-01'],
    ['2026-11-30', 0, '2026-11-30'],
    ['2028-02-28', 2, '2028-03-01'],
    ['2026-03-29', 1, '2026-03-30'],
    ['2026-01-01', -1, '2025-12-31'],
  ] as const)
    test(`${count} days after ${day} is ${after}`, () => {
      assert.equal(dayAfter(day, count), after);
    });

  for (const [month, count, after] of [
    ['2026-11', 1, '2026-12'],
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', 14, '2028-01'],
    ['2026-11', 0, '2026-11'],
  ] as const)
    test(`${count} months after ${month} is ${after}`, () => {
      assert.equal(monthAfter(month, count), after);
    });
});

test('a month ends when the next one starts', () => {
  assert.equal(monthEnd('2026-11'), '2026-12-01T00:00:00Z');
  assert.equal(monthEnd('2026-12'), '2027-01-01T00:00:00Z');
});

test('a minute begins at its first millisecond', () => {
  assert.deepEqual([0, 59_999, 60_000, 119_999].map(toMinute), [0, 0, 1, 1]);
});

test('the seconds until a moment are rounded up, and at least one', () => {
  const end = '2026-12-01T00:00:00Z';
  const waits = [-5000, -1001, -1000, -1, 0, 5000].map((offset) => secondsUntil(end, MONTH_END + 1 + offset));
  assert.deepEqual(waits, [5, 2, 1, 1, 1, 1]);
});

test('the seconds to the end of the minute are rounded up, from 60 down to 1', () => {
  const times = [0, 1, 1000, 30_500, 59_000, 59_999, 60_000];
  assert.deepEqual(times.map(secondsToMinuteEnd), [60, 60, 59, 30, 1, 1, 60]);
});
