import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChargeRecord,
  chargeFor,
  imageChargeRecord,
} from '../../../../functions/billing/domain/charges.ts';
import { toUtcDay } from '../../../../functions/billing/domain/periods.ts';
import { newSessionId } from '../../../../functions/identity/domain/session.ts';
import { isZero, minus } from '../../../../functions/platform/domain/money.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aVideoCharge, PRICES } from '../../../support/builders/charge.ts';
import { AT, aReservation, within } from '../../../support/builders/limiter.ts';
import { seededCharges, total } from '../../../support/charges.ts';
import { describeStores } from '../../../support/contract.ts';
import { MODEL } from '../../../support/http.ts';
import { longOr } from '../../../support/long-tests.ts';
import { type MoneyStores, openMoneyStores } from '../../../support/money-stores.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const { clients } = await sharedEmulators();
const stores = await openMoneyStores(clients.dynamo, 'charges');

const PLAIN = { outdated: [] };

const videoCharge = (account: string, change: Partial<ChargeRecord> = {}): ChargeRecord =>
  aVideoCharge({ id: account, account, ...change });
const SHORTER = chargeFor(MODEL, 4, PRICES);
const UNPRICED = chargeFor(MODEL, 8, { ...PRICES, videoSecond: {} });
const IMAGE_USE = {
  ...{ keyId: 'key_1', personId: undefined, upstream: 'default', upstreamCost: undefined, time: AT },
  ...{ model: 'image', size: '1K' as const, tokens: { prompt: 1, output: 1, total: 2 } },
};
const SESSION = newSessionId();

type Case = readonly [
  what: string,
  terms: {
    readonly change?: Partial<ChargeRecord>;
    /** Absent without a reservation. */
    readonly reserved?: Parameters<typeof aReservation>[2];
    readonly isGone?: boolean;
  },
  /** Committed for the account, and for its key unless that is a session. */
  amount: number | null,
];
/** A video of 3.22, whatever was reserved for it. */
const RESERVED = { amount: '3.2200' };
const FREE_KEY = { ...RESERVED, countsForKey: false };
const CASES: readonly Case[] = [
  ['without a reservation', {}, 3.22],
  ['of a console session', { change: { keyId: SESSION } }, 3.22],
  ['with a reservation', { reserved: RESERVED }, 3.22],
  ['of a key without a budget', { reserved: FREE_KEY }, 3.22],
  [
    'of a console session with a reservation',
    { change: { keyId: SESSION }, reserved: { ...FREE_KEY, keyId: SESSION } },
    3.22,
  ],
  ['whose reservation is gone', { reserved: RESERVED, isGone: true }, 3.22],
  ['of a key without a budget whose reservation is gone', { reserved: FREE_KEY, isGone: true }, 3.22],
  ['for fewer seconds than requested', { change: SHORTER, reserved: RESERVED }, 1.61],
  ['for fewer seconds of a key without a budget', { change: SHORTER, reserved: FREE_KEY }, 1.61],
  [
    'for fewer seconds whose reservation is gone',
    { change: SHORTER, reserved: RESERVED, isGone: true },
    1.61,
  ],
  ['without a price', { change: UNPRICED }, null],
  ['without a price, with a reservation', { change: UNPRICED, reserved: { amount: null } }, null],
];

/** Concurrent charges of one account conflict and are repeated, so most are written one after the other. */
const [CHARGES, CONCURRENT] = longOr([60, 10], [250, 20]);

describeStores('charges', stores, ({ accounts, charges, days, sums }: MoneyStores) => {
  for (const [what, { change = {}, reserved, isGone = false }, amount] of CASES)
    test(`one ${what} that is written twice counts once`, async () => {
      const account = what;
      const reservation = reserved && aReservation(account, 'r1', reserved);
      const other = aReservation(account, 'other', { amount: '0.05', keyId: 'key_2' });
      await accounts.reserve(other, within({}), PLAIN);
      if (reservation !== undefined && !isGone) await accounts.reserve(reservation, within({}), PLAIN);
      const charge = videoCharge(account, change);
      for (let tries = 0; tries < 2; tries += 1) await charges.record(charge, reservation);
      assert.deepEqual(
        await sums(account, charge.keyId),
        [1, Number(((amount ?? 0) + 0.05).toFixed(2)), charge.keyId === SESSION ? 0 : (amount ?? 0)],
        'with the other reservation',
      );
      const [{ day, quantity, requests, amount: sum } = assert.fail(), ...others] = await days(account);
      assert.deepEqual([day, quantity, requests, others], ['2026-11-15', charge.seconds, 1, []]);
      assert.equal(sum && Number(sum), amount);
    });

  for (const amount of ['0.0671', '0.1'])
    test(`one of an image ends its reservation of ${amount}, which holds no slot`, async () => {
      const account = `image ${amount}`;
      const charge = imageChargeRecord({ ...IMAGE_USE, account, requestId: account }, PRICES);
      const reservation = aReservation(account, 'r1', { kind: 'images', amount });
      await accounts.reserve(reservation, within({}), PLAIN);
      await charges.record(charge, reservation);
      assert.deepEqual(await sums(account), [0, 0.0671, 0.0671]);
      assert.equal(await accounts.release(reservation), false);
    });

  test('a shorter video leaves room in the budgets of account and key for exactly the rest', async () => {
    const account = 'shorter-budget';
    const reservation = aReservation(account, 'r1', RESERVED);
    await accounts.reserve(reservation, within({}), PLAIN);
    await charges.record(videoCharge(account, SHORTER), reservation);
    const outcome = async (monthlyBudget: string, keyBudget: string) => {
      const marked = aReservation(account, 'r2', { amount: '0.01' });
      return (await accounts.reserve(marked, within({ monthlyBudget }, keyBudget), PLAIN)).outcome;
    };
    assert.equal(await outcome('1.61', '9'), 'refused');
    assert.equal(await outcome('9', '1.61'), 'refused');
    assert.equal(await outcome('9', '1.62'), 'reserved');
  });

  test("the upstream's costs are summed apart from charges without one", async () => {
    const account = 'costs';
    const cost = (id: string, amount: string, currency = 'USD') =>
      videoCharge(account, { id, upstreamCost: { amount, currency } });
    const written = [
      cost('c1', '1.2'),
      cost('c2', '0.345678901'),
      cost('c3', '1', 'EUR'),
      videoCharge(account, { id: 'c4' }),
      cost('c5', '0'),
    ];
    for (const charge of [...written, ...written]) await charges.record(charge);
    const found = await days(account);
    const sums = found.map(({ requests, amount, cost, costCurrency }) => [
      requests,
      Number(amount),
      cost,
      costCurrency,
    ]);
    assert.deepEqual(sums.toSorted(), [
      [1, 3.22, null, null],
      [1, 3.22, '1', 'EUR'],
      [3, 9.66, '1.545678901', 'USD'],
    ]);
  });

  test(`the daily sums of ${CHARGES} charges are exact`, async () => {
    const random = seededRandom(20_281_229);
    const starts = [Date.UTC(2028, 1, 28), Date.UTC(2026, 10, 29), Date.UTC(2026, 11, 31)] as const;
    const all = seededCharges('seeded', CHARGES, starts, random);
    // A tenth of them twice, as after a lost response.
    const written = [...all, ...all.filter(() => random() < 0.1)];
    await Promise.all(written.splice(0, CONCURRENT).map((charge) => charges.record(charge)));
    for (const charge of written) await charges.record(charge);
    const found = await days('seeded');
    const amountOn = (day: string) => {
      const summed = total(found.filter((each) => each.day === day).map(({ amount }) => amount));
      const charged = total(all.filter(({ time }) => toUtcDay(time) === day).map(({ amount }) => amount));
      return isZero(minus(summed, charged));
    };
    for (const { time } of all) assert.ok(amountOn(toUtcDay(time)), toUtcDay(time));
    assert.equal(
      found.reduce((sum, { requests }) => sum + requests, 0),
      CHARGES,
    );
    assert.ok(found.some(({ day }) => day === '2028-02-29'));
    const entries = found.map(({ account: _, quantity, requests, amount, cost, ...rest }) =>
      JSON.stringify(rest),
    );
    assert.equal(new Set(entries).size, entries.length, 'one entry for each key, person, model and size');
  });
});
