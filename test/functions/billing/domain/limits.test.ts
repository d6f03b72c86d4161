import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  amountBefore,
  type Ceilings,
  findExceededLimit,
  priceOverBudget,
  type Reservation,
  toRateLimit,
  unpricedBudget,
} from '../../../../functions/billing/domain/limits.ts';
import { aReservation, within } from '../../../support/builders/limiter.ts';

/** 2026-11-30T23:59:30.500Z: 29.5 seconds before the end of the minute and of the month. */
const AT = 1_796_083_170_500;

const reservation = (change: Partial<Reservation> = {}): Reservation =>
  aReservation('acme', 'r1', { amount: '3.20', at: AT, ...change });
const NOTHING = { committed: '0', committedByKey: '0', videos: 0, creates: 0 };

describe('the room before a reservation', () => {
  for (const [budget, amount, room] of [
    ['10', '3.20', '6.80'],
    ['3.20', '3.20', '0.00'],
    ['3', '3.20', '-0.20'],
    [undefined, '3.20', undefined],
    ['10', null, undefined],
  ] as const)
    test(`of ${amount} in a budget of ${budget} is ${room}`, () => {
      assert.equal(amountBefore(budget, reservation({ amount })), room);
    });
});

describe('the creates of a minute', () => {
  for (const [creates, remaining] of [
    [0, 5],
    [4, 1],
    [5, 0],
    [9, 0],
  ] as const)
    test(`leave ${remaining} of 5 after ${creates}`, () => {
      assert.deepEqual(toRateLimit(within({ createsPerMinute: 5 }), creates, AT), {
        limit: 5,
        remaining,
        resetSeconds: 30,
      });
    });

  test('are not counted without a limit', () => {
    assert.equal(toRateLimit(within({}), 3, AT), undefined);
  });
});

for (const [whose, limited, words] of [
  [
    'the account',
    within({ monthlyBudget: '3' }),
    /^The account has a monthly budget of 3 USD, .* costs 3\.20\.$/,
  ],
  ['the key', within({ monthlyBudget: '4' }, '3.19'), /^The API key has a monthly budget of 3\.19 USD/],
] as const)
  test(`a price over the whole budget of ${whose} is refused for good`, () => {
    const refusal = priceOverBudget(limited, reservation(), 'USD');
    assert.deepEqual([refusal?.code, refusal?.retryAfterSeconds], ['insufficient_quota', undefined]);
    assert.match(refusal?.message ?? '', words);
  });

test('a price that fits exactly or is unknown is not refused for good', () => {
  assert.equal(priceOverBudget(within({ monthlyBudget: '3.20' }, '3.2'), reservation(), 'USD'), undefined);
  const unpriced = reservation({ amount: null });
  assert.equal(priceOverBudget(within({ monthlyBudget: '1' }), unpriced, 'USD'), undefined);
});

test('a budget of the account or the key refuses what has no price', () => {
  const unpriced = { amount: null, what: 'an image of 4K' };
  for (const [limited, words] of [
    [
      within({ monthlyBudget: '3' }, '2'),
      /^The account has a monthly budget, but an image of 4K has no price/,
    ],
    [within({}, '2'), /^The API key has a monthly budget, but an image of 4K has no price/],
  ] as const) {
    const refusal = unpricedBudget(limited, unpriced);
    assert.equal(refusal?.code, 'insufficient_quota');
    assert.match(refusal?.message ?? '', words);
  }
  assert.equal(unpricedBudget(within({ monthlyBudget: '3' }), { ...unpriced, amount: '1' }), undefined);
  assert.equal(unpricedBudget(within({ createsPerMinute: 3 }), unpriced), undefined);
});

describe('a limit', () => {
  const refused = (limited: Ceilings, usage: Partial<typeof NOTHING>, change: Partial<Reservation> = {}) =>
    findExceededLimit({
      reservation: reservation(change),
      ceilings: limited,
      usage: { ...NOTHING, ...usage },
      currency: 'USD',
    });

  test('on the budget of the account refuses until the next month', () => {
    const refusal = refused(within({ monthlyBudget: '10' }), { committed: '6.81', committedByKey: '99' });
    assert.deepEqual([refusal?.code, refusal?.retryAfterSeconds], ['insufficient_quota', 30]);
    assert.equal(
      refusal?.message,
      'The account’s monthly budget has $3.19 left (of $10), and this request costs $3.20. It resets on 1 December.',
    );
    const usedUp = refused(within({ monthlyBudget: '32' }), { committed: '39.606' });
    assert.equal(
      usedUp?.message,
      'The account’s monthly budget is used up ($39.61 of $32). It resets on 1 December.',
    );
  });

  test('on the budget of the key refuses until the next month', () => {
    const refusal = refused(within({ monthlyBudget: '100' }, '5'), {
      committed: '6',
      committedByKey: '1.81',
    });
    assert.deepEqual([refusal?.code, refusal?.retryAfterSeconds], ['insufficient_quota', 30]);
    assert.match(refusal?.message ?? '', /^The API key’s monthly budget has \$3\.19 left \(of \$5\)/);
  });

  test('on creates per minute refuses until the end of the minute and reports the remaining creates', () => {
    const refusal = refused(within({ createsPerMinute: 5, videosAtOnce: 1 }), { creates: 5, videos: 1 });
    const rateLimit = { limit: 5, remaining: 0, resetSeconds: 30 };
    assert.partialDeepStrictEqual({ ...refusal }, { code: 'rate_limited', retryAfterSeconds: 30, rateLimit });
    assert.match(refusal?.message ?? '', /limit 5, used 5\. It resets in 30 seconds\.$/);
  });

  test('on videos at once refuses for 20 seconds', () => {
    const limited = within({ videosAtOnce: 2, createsPerMinute: 5 });
    const refusal = refused(limited, { videos: 2 });
    const rateLimit = { limit: 5, remaining: 5, resetSeconds: 30 };
    assert.partialDeepStrictEqual({ ...refusal }, { code: 'rate_limited', retryAfterSeconds: 20, rateLimit });
    assert.equal(refused(limited, { videos: 1 }), undefined);
    assert.equal(refused(limited, { videos: 2 }, { kind: 'images' }), undefined);
  });

  test('admits a reservation that reaches it exactly', () => {
    const limited = within({ monthlyBudget: '10', createsPerMinute: 5, videosAtOnce: 2 }, '5');
    const usage = { committed: '6.80', committedByKey: '1.8', creates: 4, videos: 1 };
    assert.equal(refused(limited, usage), undefined);
  });
});
