import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Limits, Reservation } from '../../../../functions/billing/domain/limits.ts';
import type { AccountRepository } from '../../../../functions/billing/domain/ports.ts';
import { predictRefusal, reserve } from '../../../../functions/billing/domain/reserve.ts';
import type { Caller } from '../../../../functions/identity/domain/api-key.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { accountsPort, MemoryAccounts } from '../../../support/in-memory/accounts.ts';

const CALLER = { account: 'account', keyId: 'key' };
const IN_PROGRESS = { code: 'rate_limited', retryAfterSeconds: 60 };
const NOTHING = { committed: '0', committedByKey: '0', videos: 0, creates: 0 };
const LAST_MINUTE = Date.UTC(2026, 11, 31, 23, 59, 48);

const world = (limits: Partial<Limits>, start = LAST_MINUTE) => {
  const accounts = new MemoryAccounts();
  const state = { now: start };
  const limiter = buildLimiter(limits, accountsPort(accounts), () => state.now);
  const ask = (
    amount: string | null = '1.50',
    taskId = 'task',
    caller: Caller = CALLER,
    accounts: Partial<AccountRepository> = {},
  ) =>
    reserve({ ...limiter, accounts: { ...limiter.accounts, ...accounts } }, caller, {
      kind: 'videos',
      taskId,
      what: 'a model',
      amount,
    });
  const askForImages = (amount: string | null, taskId: string, ...moreTaskIds: string[]) =>
    reserve(limiter, CALLER, { kind: 'images', taskId, moreTaskIds, what: 'an image', amount });
  return { accounts, state, ask, askForImages, limiter };
};

describe('a reservation', () => {
  test('is not made if the caller has no limits', async () => {
    assert.equal(await world({}).ask(), undefined);
  });

  test('of several images admits all of them or none', async () => {
    const { accounts, askForImages } = world({ monthlyBudget: '3.50', createsPerMinute: 5 });
    const askFor = (taskId: string, ...moreTaskIds: string[]) => askForImages('1', taskId, ...moreTaskIds);
    const admitted = await askFor('r-0', 'r-1');
    const made = [admitted?.reservation, ...(admitted?.more ?? [])];
    const reserved = made.map((one) => `${one?.taskId} for ${one?.amount}`);
    assert.deepEqual(reserved, ['r-0 for 1', 'r-1 for 1']);
    assert.equal(admitted?.rateLimit?.remaining, 3);
    const refusal = { code: 'insufficient_quota', message: /\$1\.50 left .* this request costs \$2\./ };
    await assert.rejects(() => askFor('s-0', 's-1'), refusal);
    const stored = accounts.reservations().map(({ taskId }) => taskId);
    assert.deepEqual(stored, ['r-0', 'r-1']);
    await assert.rejects(() => askFor('t-0', 't-1', 't-2', 't-3'), { message: /alone costs 4\.$/ });
  });

  test('of several images respects the creates per minute', async () => {
    const { askForImages } = world({ createsPerMinute: 3 });
    const askFor = (taskId: string, ...moreTaskIds: string[]) => askForImages(null, taskId, ...moreTaskIds);
    await askFor('r-0', 'r-1');
    const full = { code: 'rate_limited', message: /limit 3, used 2, this request 2\./ };
    await assert.rejects(() => askFor('s-0', 's-1'), full);
    const tooMany = { code: 'insufficient_quota', message: /create 3 .* per minute, and this .* creates 4/ };
    await assert.rejects(() => askFor('t-0', 't-1', 't-2', 't-3'), tooMany);
    assert.equal((await askFor('u-0'))?.rateLimit?.remaining, 0);
    const all = await world({ createsPerMinute: 3 }).askForImages(null, 'v-0', 'v-1', 'v-2');
    assert.equal(all?.more.length, 2);
  });

  test('counts in the month of the request', async () => {
    const { ask, state } = world({ monthlyBudget: '1.50' });
    await ask();
    await assert.rejects(() => ask('1.50', 'another'), { retryAfterSeconds: 12 });
    state.now += 12_000;
    assert.equal((await ask('1.50', 'another'))?.reservation.month, '2027-01');
  });

  test('returns the remaining creates from the last known count', async () => {
    const { ask, accounts, limiter } = world({ createsPerMinute: 5 });
    await ask('1.50', 'first');
    const elsewhere = buildLimiter({ createsPerMinute: 5 }, accountsPort(accounts), () => LAST_MINUTE);
    const askThere = (taskId: string) =>
      reserve(elsewhere, CALLER, { kind: 'videos', taskId, what: 'a model', amount: null });
    assert.equal((await askThere('second'))?.rateLimit?.remaining, 3);
    assert.equal((await ask('1.50', 'third'))?.rateLimit?.remaining, 3, 'the second is not known here');
    assert.equal(limiter.limits.countCreate('account', LAST_MINUTE + 60_000), 1, 'a minute starts anew');
    for (const task of ['fourth', 'fifth']) await askThere(task);
    await assert.rejects(() => ask('1.50', 'sixth'), {
      rateLimit: { limit: 5, remaining: 0, resetSeconds: 12 },
    });
  });

  test('without a price is made if only slots are limited', async () => {
    await world({ videosAtOnce: 1 }).ask(null);
    await assert.rejects(
      () => world({ monthlyBudget: '5' }).ask(null),
      /a model has no price.*prices setting/,
    );
  });

  test('of a crashed request is taken over by a retry for the same task only', async () => {
    const { ask, state, accounts } = world({ monthlyBudget: '1.50' }, Date.UTC(2026, 5, 1));
    const first = await ask();
    for (const later of [1, 119_999]) {
      state.now += later;
      const again = await ask();
      assert.deepEqual([again?.reservation.id, again?.reservation.at], [first?.reservation.id, state.now]);
    }
    await assert.rejects(() => ask('1.50', 'another'), { code: 'insufficient_quota' });
    assert.equal(accounts.committed('account'), '1.50');
  });

  test('with other terms blocks a retry while its request may be running, and is then released', async () => {
    const { ask, accounts, state } = world({ videosAtOnce: 1 });
    const other = { account: 'account', keyId: 'other', monthlyBudget: '2' };
    await ask('1.50', 'task');
    for (const [caller, amount] of [
      [other, '1.50'],
      [CALLER, '1.00'],
    ] as const)
      await assert.rejects(() => ask(amount, 'task', caller), IN_PROGRESS);
    state.now += 60_000;
    const taken = await ask('1.50', 'task', other);
    assert.deepEqual(accounts.reservations(), [taken?.reservation]);
    assert.deepEqual([accounts.committed('account'), accounts.committed('account#other')], ['1.50', '1.50']);
  });

  test('that is released meanwhile is made again', async () => {
    const { ask, accounts } = world({ videosAtOnce: 1 });
    await ask();
    const [held] = accounts.reservations();
    const renew: AccountRepository['renew'] = async (reservation) => {
      accounts.release(reservation);
      return false;
    };
    const again = await ask('1.50', 'task', CALLER, { renew });
    assert.notEqual(again?.reservation.id, held?.id);
    assert.deepEqual(accounts.reservations(), [again?.reservation]);
  });

  const OTHER_LIMITS = { usage: NOTHING, marks: {}, limits: { videosAtOnce: 2 } };
  for (const [what, toOutcome] of [
    ['conflicts', (held: Reservation) => ({ outcome: 'taken', held }) as const],
    ['changes of the limits', () => ({ outcome: 'refused', ...OTHER_LIMITS }) as const],
  ] as const)
    test(`is refused after five ${what}`, async () => {
      let tries = 0;
      const reserveOnce: AccountRepository['reserve'] = async (held) => {
        tries += 1;
        return toOutcome(held);
      };
      const busy = { reserve: reserveOnce, renew: async () => false };
      const refusal = { code: 'rate_limited', retryAfterSeconds: 1 };
      await assert.rejects(world({ videosAtOnce: 1 }).ask(null, 'task', CALLER, busy), refusal);
      assert.equal(tries, 5);
    });

  for (const [name, change] of [
    ['kind', { kind: 'images' }],
    ['budget of the key', { countsForKey: true }],
    ['price', { amount: '1.00' }],
    ['month', { month: '2026-11' }],
  ] as const)
    test(`with another ${name} is not taken over`, async () => {
      const { ask } = world({ videosAtOnce: 1 });
      const wanted = (await ask())?.reservation ?? assert.fail();
      const held = { ...wanted, ...change };
      const accounts = {
        reserve: async () => ({ outcome: 'taken', held }) as const,
        renew: () => assert.fail('it is renewed'),
      };
      await assert.rejects(ask('1.50', 'task', CALLER, accounts), IN_PROGRESS);
    });

  test('counts for a key only if it has a budget', async () => {
    const { ask } = world({ monthlyBudget: '5' });
    assert.equal((await ask())?.reservation.countsForKey, false);
    const other = { account: 'account', keyId: 'other', monthlyBudget: '2' };
    assert.equal((await ask('1.50', 'second', other))?.reservation.countsForKey, true);
  });
});

test('a refusal of several images is predicted from the usage of their account', () => {
  const images = { kind: 'images', taskId: 'a', moreTaskIds: ['b'], what: 'an image' } as const;
  const usage = { ...NOTHING, committed: '9', creates: 2 };
  for (const [limits, amount, words] of [
    [{ monthlyBudget: '11', createsPerMinute: 4 }, '1', /^admitted$/],
    [{ monthlyBudget: '10.99' }, '1', /\$1\.99 left .* this request costs \$2\./],
    [{ monthlyBudget: '1.99' }, '1', /this request alone costs 2\.$/],
    [{ monthlyBudget: '11' }, null, /an image has no price/],
    [{ createsPerMinute: 3 }, '1', /limit 3, used 2, this request 2\./],
  ] as const) {
    const moment = { usage, currency: 'USD', at: LAST_MINUTE };
    const refusal = predictRefusal(CALLER, limits, { ...images, amount }, moment);
    assert.match(refusal?.message ?? 'admitted', words);
  }
});

describe('an account that reaches a threshold of its budget', () => {
  const heard = (budget: string, refuse?: Error) => {
    const events: string[] = [];
    const logger = {
      info: (event: string, fields: object) => events.push(`${event} ${JSON.stringify(fields)}`),
      error: (event: string, _: unknown, fields: object) => events.push(`${event} ${JSON.stringify(fields)}`),
    };
    const accounts = new MemoryAccounts();
    const port = accountsPort(accounts);
    const failing = refuse && { markRefusal: () => Promise.reject(refuse) };
    const limits = { monthlyBudget: budget };
    const limiter = buildLimiter(limits, { ...port, ...failing }, () => LAST_MINUTE, logger);
    const ask = (amount: string | null) =>
      reserve(limiter, CALLER, { kind: 'images', taskId: randomUUID(), what: 'a model', amount });
    const reached = () => accounts.reached.map(({ threshold, used }) => `${threshold} at ${used}`);
    return { ask, events, reached };
  };
  const LOGGED = 'budget nearly used {"account":"account","month":"2026-12"}';

  test('has a notice for each, and the operator is told of 80 % once', async () => {
    const { ask, events, reached } = heard('10');
    for (const amount of ['4', '3.9999']) await ask(amount);
    assert.deepEqual([events, reached()], [[], []]);
    for (const amount of ['0.0001', '1', '0.5', '0.5']) await ask(amount);
    assert.deepEqual([events, reached()], [[LOGGED], ['80 at 8.0000', '100 at 10.0000']]);
  });

  test('has both notices if one reservation uses all of it', async () => {
    const { ask, events, reached } = heard('3.2200');
    await ask('3.22');
    await assert.rejects(() => ask('0.0001'), { code: 'insufficient_quota' });
    assert.deepEqual([events, reached()], [[LOGGED], ['80 at 3.22', '100 at 3.22']]);
  });

  test('has a notice of 100 % for the first request that does not fit', async () => {
    const { ask, reached } = heard('10');
    await ask('7');
    await assert.rejects(() => ask('9'), { code: 'insufficient_quota' });
    assert.deepEqual(reached(), [], 'three tenths are left');
    await ask('2.50');
    for (const amount of ['0.60', '0.51'])
      await assert.rejects(() => ask(amount), { code: 'insufficient_quota' });
    await ask('0.50');
    assert.deepEqual(reached(), ['80 at 9.50', '100 at 9.50']);
  });

  test('has its request refused as such even if the notice cannot be written', async () => {
    const { ask, events, reached } = heard('10', new Error('no'));
    await ask('9');
    await assert.rejects(() => ask('2'), { code: 'insufficient_quota' });
    const failed = 'budget not marked {"account":"account","month":"2026-12"}';
    assert.deepEqual([events, reached()], [[LOGGED, failed], ['80 at 9']]);
  });
});
