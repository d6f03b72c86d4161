import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayAfter } from '../../../../functions/billing/domain/periods.ts';
import type { DailyUsage, UsageRepository, UsageSum } from '../../../../functions/billing/domain/usage.ts';
import { reportUsage } from '../../../../functions/billing/domain/usage.ts';
import { isZero, minus, plus } from '../../../../functions/platform/domain/money.ts';

const FROM = '2024-02-25';
const fields = ['account', 'keyId', 'personId', 'model', 'size'] as const;

/** Around a leap day and a month's end, with up to four decimals. */
const entry: fc.Arbitrary<DailyUsage> = fc
  .record({
    offset: fc.nat({ max: 40 }),
    keyId: fc.constantFrom('key_a', 'key_b', '","'),
    personId: fc.constantFrom('user_a', 'user_b', null),
    kind: fc.constantFrom('video' as const, 'image' as const),
    size: fc.constantFrom('1', '2'),
    quantity: fc.nat({ max: 1000 }),
    requests: fc.nat({ max: 100 }),
    units: fc.option(fc.nat({ max: 99_999_999 })),
    currency: fc.constantFrom('USD', 'EUR'),
  })
  .map(({ offset, units, currency, ...rest }) => ({
    ...rest,
    account: 'acme',
    day: dayAfter(FROM, offset),
    model: rest.kind,
    amount:
      units === null ? null : `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`,
    currency: units === null ? null : currency,
    cost: null,
    costCurrency: null,
  }));

const stored = (entries: readonly DailyUsage[]): UsageRepository => ({
  days: async function* (account, from, to) {
    yield* entries.filter((each) => each.account === account && each.day >= from && each.day <= to);
  },
});

const toSums = (parts: readonly Pick<UsageSum, 'currency' | 'amount' | 'requests' | 'quantity'>[]) => {
  const sum = (currency: string | null) =>
    parts
      .filter((part) => part.currency === currency)
      .reduce((all, { amount }) => plus(all, amount ?? '0'), '0');
  const count = (name: 'requests' | 'quantity') => parts.reduce((all, part) => all + part[name], 0);
  return { USD: sum('USD'), EUR: sum('EUR'), requests: count('requests'), quantity: count('quantity') };
};

test('pages of any length and grouping add up to all usage, with each day once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 60 }),
      fc.integer({ min: 1, max: 45 }),
      fc.nat({ max: 40 }),
      fc.subarray([...fields]),
      fc.boolean(),
      async (entries, limit, length, by, hasMoney) => {
        const to = dayAfter(FROM, length);
        const [days, sums]: [string[], UsageSum[]] = [[], []];
        for (let from: string | undefined = FROM; from !== undefined; ) {
          const query = { from, to, limit, by, hasMoney, includes: () => true };
          const report = await reportUsage(stored(entries), 'acme', query);
          assert.ok(report.days.length <= limit && report.days.length > 0);
          for (const each of report.days) {
            days.push(each.day);
            sums.push(...each.sums);
            const keys = each.sums.map((sum) =>
              JSON.stringify([...by.map((field) => sum[field]), hasMoney ? sum.currency : '']),
            );
            assert.equal(new Set(keys).size, keys.length, 'a group is there once');
          }
          from = report.next;
        }
        const allDays = Array.from({ length: length + 1 }, (_, position) => dayAfter(FROM, position));
        assert.deepEqual(days, allDays);
        const [reported, expected] = [toSums(sums), toSums(entries.filter(({ day }) => day <= to))];
        for (const currency of hasMoney ? (['USD', 'EUR'] as const) : [])
          assert.ok(isZero(minus(reported[currency], expected[currency])), currency);
        assert.deepEqual([reported.requests, reported.quantity], [expected.requests, expected.quantity]);
      },
    ),
    { numRuns: 300 },
  );
});
