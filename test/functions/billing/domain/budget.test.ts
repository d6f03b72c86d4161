import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  budgetMark,
  noticesOfRefusal,
  noticesOfReservation,
  toBudgetState,
} from '../../../../functions/billing/domain/budget.ts';
import type { Reservation } from '../../../../functions/billing/domain/limits.ts';
import { aReservation, NO_LIMITS } from '../../../support/builders/limiter.ts';

/** Half a second before the end of the month. */
const AT = Date.UTC(2026, 10, 30, 23, 59, 59, 500);
const RESERVATION = aReservation('acme', 'r1', { countsForKey: false, amount: '3.20', at: AT });
const mark = (threshold: 80 | 100, limit = '10', month = '2026-11') =>
  budgetMark({ threshold, limit, month });

type Case = readonly [limit: string | undefined, committed: string, amount: string | null];
const attempt = ([monthlyBudget, committed, amount]: Case, marked: readonly string[] = []) => ({
  reservation: { ...RESERVATION, amount },
  ceilings: { limits: { ...NO_LIMITS, monthlyBudget }, keyBudget: '1' },
  usage: { committed },
  marks: Object.fromEntries(marked.map((name) => [name, '9'])),
  currency: 'USD',
});

describe('a reservation', () => {
  for (const [title, given, reached, used] of [
    ['below 80 %', ['10', '4.7999', '3.20'], [], ''],
    ['that reaches 80 % exactly', ['10', '4.80', '3.20'], [80], '8.00'],
    ['that passes 80 %', ['10', '6.79', '3.20'], [80], '9.99'],
    ['that reaches 100 % exactly', ['10', '6.80', '3.20'], [80, 100], '10.00'],
    ['that uses all of the budget at once', ['3.20', '0', '3.20'], [80, 100], '3.20'],
    ['without a price', ['10', '9', null], [], ''],
    ['without a budget', [undefined, '9', '3.20'], [], ''],
    ['with a budget of 0', ['0', '0', '0'], [], ''],
    ['with a budget of 0.00', ['0.00', '0', '0.00'], [], ''],
  ] as const)
    test(`${title} reaches [${reached}]`, () => {
      const notices = noticesOfReservation(attempt(given));
      const noticed = notices.map((notice) => [notice.threshold, notice.used]);
      const expected = reached.map((threshold) => [threshold, used]);
      assert.deepEqual(noticed, expected);
    });

  test('has a notice with everything that the event says', () => {
    const [{ id, ...notice } = assert.fail()] = noticesOfReservation(attempt(['10', '5', '3.20']));
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.deepEqual(notice, {
      kind: 'budget',
      account: 'acme',
      month: '2026-11',
      threshold: 80,
      used: '8.20',
      limit: '10',
      currency: 'USD',
      at: AT,
    });
  });

  test('has a notice only for thresholds that are not marked for the same month and budget', () => {
    const reached = (...marked: string[]) =>
      noticesOfReservation(attempt(['10', '6.80', '3.20'], marked)).map(({ threshold }) => threshold);
    assert.deepEqual(reached(mark(80)), [100]);
    assert.deepEqual(reached(mark(80), mark(100)), []);
    assert.deepEqual(reached(mark(80, '8'), mark(100, '8')), [80, 100], 'the budget was raised');
    assert.deepEqual(reached(mark(80, '10', '2026-10')), [80, 100], 'another month');
  });

  test('has another id for another account, month, budget and threshold, and the same for the same', () => {
    const ids = (change: Partial<Reservation>, limit = '10') =>
      noticesOfReservation({
        ...attempt([limit, limit, '3.20']),
        reservation: { ...RESERVATION, ...change },
      }).map(({ id }) => id);
    const all = [ids({}), ids({ account: 'beta' }), ids({ month: '2026-12' }), ids({}, '11')].flat();
    assert.equal(new Set(all).size, 8);
    assert.deepEqual(ids({ at: 7, taskId: 'other', amount: '1' }), ids({}));
  });
});

describe('a refused request', () => {
  for (const [title, given, marked, reached] of [
    ['that does not fit into the last fifth', ['10', '8', '3.20'], [mark(80)], [100]],
    ['of an account whose budget was lowered', ['10', '12', '3.20'], [], [80, 100]],
    ['that does not fit, though much is left', ['10', '7.99', '3.20'], [], []],
    ['that would fit: another limit refused it', ['10', '8.50', '1.50'], [], []],
    ['after an earlier one', ['10', '9', '3.20'], [mark(80), mark(100)], []],
    ['without a budget of the account', [undefined, '9', '3.20'], [], []],
    ['with a budget of 0', ['0', '0', '3.20'], [], []],
  ] as const)
    test(`${title} reaches [${reached}]`, () => {
      const notices = noticesOfRefusal(attempt(given, marked));
      const noticed = notices.map(({ threshold, used }) => [threshold, used]);
      const expected = reached.map((threshold) => [threshold, given[1]]);
      assert.deepEqual(noticed, expected);
    });
});

describe('the budget of an account', () => {
  const state = (committed: string, monthlyBudget: string | undefined, marks = {}, now = AT) =>
    toBudgetState({ committed, marks }, { ...NO_LIMITS, monthlyBudget }, now);

  for (const [used, limit, threshold] of [
    ['0', '10', null],
    ['7.999999', '10', null],
    ['8', '10', 80],
    ['9.999999', '10', 80],
    ['10', '10', 100],
    ['12', '10', 100],
    ['0', '0', 100],
  ] as const)
    test(`of which ${used} of ${limit} is used is at ${threshold}`, () => {
      assert.deepEqual(state(used, limit), { used, limit, threshold });
    });

  test('is undefined if it has none, and unused if nothing is known about the account', () => {
    assert.equal(state('5', undefined), undefined);
    assert.deepEqual(toBudgetState(undefined, { ...NO_LIMITS, monthlyBudget: '5' }, AT), {
      used: '0',
      limit: '5',
      threshold: null,
    });
  });

  test('counts as used up while as much is used as when a request did not fit', () => {
    const refused = { [mark(100)]: '9.5' };
    const thresholds = ['9.6', '9.5', '9.4', '7'].map((used) => state(used, '10', refused)?.threshold);
    assert.deepEqual(thresholds, [100, 100, 80, null]);
    assert.equal(state('9.6', '11', refused)?.threshold, 80, 'the budget was raised');
    assert.equal(state('9.6', '10', refused, AT + 500)?.threshold, 80, 'the next month');
  });
});
