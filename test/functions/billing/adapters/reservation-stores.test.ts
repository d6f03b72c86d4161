import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetNotice } from '../../../../functions/billing/domain/budget.ts';
import type { Ceilings, Reservation } from '../../../../functions/billing/domain/limits.ts';
import { accountLimits, reserve } from '../../../../functions/billing/domain/reserve.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { AT, aReservation, MONTH, within } from '../../../support/builders/limiter.ts';
import { describeStores } from '../../../support/contract.ts';
import { longOr } from '../../../support/long-tests.ts';
import { type MoneyStores, openMoneyStores } from '../../../support/money-stores.ts';

const { clients } = await sharedEmulators();
const stores = await openMoneyStores(clients.dynamo, 'reservations');

const PLAIN = { outdated: [] };
const CONCURRENT = longOr(15, 50);
const RACES: readonly (readonly [name: string, ceilings: Ceilings, admitted: number, told: number])[] = [
  ['a budget', within({ monthlyBudget: '1.001' }), 10, 1],
  ['a budget that is short of the last one by the last decimal', within({ monthlyBudget: '1.000999' }), 9, 1],
  ['the budget of a key', within({}, '0.51'), 5, 0],
  ['videos at once', within({ videosAtOnce: 7 }), 7, 0],
  ['creates a minute', within({ createsPerMinute: 3 }), 3, 0],
  ['no videos at once', within({ videosAtOnce: 0 }), 0, 0],
  ['no creates', within({ createsPerMinute: 0 }), 0, 0],
  ['a budget for none', within({ monthlyBudget: '0.1' }), 0, 0],
];

const aNotice = (account: string, threshold: 80 | 100, limit = '1'): BudgetNotice => ({
  kind: 'budget',
  id: `evt_${account}_${threshold}`,
  account,
  month: MONTH,
  threshold,
  used: '0.85',
  limit,
  currency: 'USD',
  at: AT,
});

describeStores('reservations', stores, ({ accounts, sums }: MoneyStores) => {
  const listDue = async (account: string, until = Number.MAX_SAFE_INTEGER) => {
    const own = (await Array.fromAsync(accounts.due(until))).filter((one) => one.account === account);
    return {
      held: own.filter((one) => one.kind !== 'budget'),
      notices: own.filter((one) => one.kind === 'budget'),
    };
  };
  const outcome = async (one: Reservation, ceilings = within({})) =>
    (await accounts.reserve(one, ceilings, PLAIN)).outcome;

  for (const [name, { limits, keyBudget }, admitted, told] of RACES)
    test(`${admitted} of ${CONCURRENT} concurrent ones are made with ${name}`, async () => {
      const events: string[] = [];
      const limiter = {
        accounts,
        limits: accountLimits(accounts, limits, () => AT),
        currency: 'USD',
        logger: { info: (event: string) => void events.push(event), error: assert.fail },
        now: () => AT,
      };
      const caller = { account: name, keyId: 'key_1', monthlyBudget: keyBudget ?? '1000' };
      const outcomes = await Promise.allSettled(
        Array.from({ length: CONCURRENT }, (_, position) =>
          reserve(limiter, caller, {
            kind: 'videos',
            taskId: `${name} ${position}`,
            what: 'a model',
            amount: '0.1001',
          }),
        ),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, admitted);
      const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      assert.ok(codes.every((code) => code === 'insufficient_quota' || code === 'rate_limited'));
      assert.deepEqual(events, Array(told).fill('budget nearly used'));
      const { held, notices } = await listDue(name);
      // One refused request says that the budget is used up, if the last reservation does not.
      const noted = notices.map(({ threshold, month }) => `${threshold} ${month}`).toSorted();
      assert.deepEqual(noted, told === 0 ? [] : [`100 ${MONTH}`, `80 ${MONTH}`]);
      assert.equal(held.length, admitted);
      await Promise.all([...held, ...held].map((one) => accounts.release(one)));
      assert.deepEqual(await sums(name), [0, 0, 0]);
    });

  test('one that reaches 80 % or 100 % of a budget marks it, with a notice', async () => {
    const ceilings = within({ monthlyBudget: '1' });
    const tryOnce = async (account: string, id: string, amount: string, ...thresholds: (80 | 100)[]) => {
      const notices = thresholds.map((threshold) => aNotice(account, threshold));
      const one = aReservation(account, id, { amount });
      return (await accounts.reserve(one, ceilings, { ...PLAIN, notices })).outcome;
    };
    assert.equal(await tryOnce('marked', 'r1', '0.7'), 'reserved');
    assert.equal(await tryOnce('marked', 'r2', '0.05', 80), 'refused', '75 % are not 80 %');
    assert.equal(await tryOnce('marked', 'r2', '0.1'), 'refused', '80 % are reached');
    assert.equal(await tryOnce('marked', 'r2', '0.1', 80), 'reserved');
    assert.equal(await tryOnce('marked', 'r3', '0.1', 80), 'refused', 'it is marked');
    assert.equal(await tryOnce('marked', 'r3', '0.1'), 'reserved');
    assert.equal(await tryOnce('marked', 'r4', '0.1'), 'refused', '100 % are reached');
    assert.equal(await tryOnce('marked', 'r4', '0.1', 100), 'reserved');
    assert.equal(await tryOnce('at once', 'r1', '1'), 'refused');
    assert.equal(await tryOnce('at once', 'r1', '1', 80), 'refused');
    assert.equal(await tryOnce('at once', 'r1', '1', 80, 100), 'reserved');
    const { notices } = await listDue('marked');
    const sorted = notices.toSorted((one, other) => one.threshold - other.threshold);
    assert.deepEqual(sorted, [aNotice('marked', 80), aNotice('marked', 100)]);
    assert.deepEqual((await listDue('marked', AT - 1)).notices, []);
    for (const notice of notices) await accounts.removeNotice(notice);
    assert.deepEqual((await listDue('marked')).notices, []);
    assert.deepEqual((await accounts.find('marked', AT))?.marks, {
      [`reached80#${MONTH}#1`]: '0.85',
      [`reached100#${MONTH}#1`]: '0.85',
    });
  });

  test('a budget of 0 has no thresholds', async () => {
    const nothing = aReservation('zero', 'r1', { amount: '0' });
    assert.equal(await outcome(nothing, within({ monthlyBudget: '0' })), 'reserved');
    const something = aReservation('zero', 'r2', { amount: '0.01' });
    assert.equal(await outcome(something, within({ monthlyBudget: '0' })), 'refused');
  });

  test('a refused request marks its thresholds once, unless less is used since', async () => {
    const notices = [aNotice('refused', 80), aNotice('refused', 100)];
    assert.equal(await accounts.markRefusal(notices), false, 'nothing is used');
    await accounts.reserve(aReservation('refused', 'r1', { amount: '0.9' }), within({}), PLAIN);
    const more = notices.map((notice) => ({ ...notice, used: '0.91' }));
    assert.equal(await accounts.markRefusal(more), false);
    assert.equal(await accounts.markRefusal(notices), true);
    assert.equal(await accounts.markRefusal(notices), false);
    assert.equal(await accounts.markRefusal([]), false);
    const { notices: written } = await listDue('refused');
    assert.deepEqual(written.map(({ threshold }) => threshold).toSorted(), [100, 80]);
    assert.deepEqual(Object.keys((await accounts.find('refused', AT))?.marks ?? {}).toSorted(), [
      `reached100#${MONTH}#1`,
      `reached80#${MONTH}#1`,
    ]);
  });

  test('a repeated one counts once, and returns the existing one', async () => {
    const one = aReservation('again', 'r1');
    const ceilings = within({ videosAtOnce: 5 });
    assert.deepEqual(await accounts.reserve(one, ceilings, PLAIN), { outcome: 'reserved' });
    assert.deepEqual(await accounts.reserve({ ...one, id: 'r2', at: AT + 1 }, ceilings, PLAIN), {
      outcome: 'taken',
      held: one,
    });
    assert.deepEqual(await sums('again'), [1, 0.1001, 0.1001]);
  });

  test('those of one request are made together or not at all', async () => {
    const image = (name: string, id: string) => aReservation(name, id, { kind: 'images', amount: '0.1' });
    const three = { ...PLAIN, moreTaskIds: ['several-1', 'several-2'] };
    const [before, first] = [image('several', 'r0'), image('several', 'r1')];
    await accounts.reserve(before, within({}), PLAIN);
    for (const tight of [
      within({ monthlyBudget: '0.39' }),
      within({ createsPerMinute: 3 }),
      within({}, '0.39'),
    ])
      assert.equal((await accounts.reserve(first, tight, three)).outcome, 'refused');
    assert.deepEqual(await sums('several'), [0, 0.1, 0.1]);
    const enough = within({ monthlyBudget: '0.6', createsPerMinute: 4 }, '0.4');
    assert.equal((await accounts.reserve(first, enough, three)).outcome, 'reserved');
    assert.deepEqual(await sums('several'), [0, 0.4, 0.4]);
    assert.equal((await accounts.find('several', AT))?.creates, 4);
    const { held } = await listDue('several');
    assert.deepEqual(held.map(({ taskId, amount }) => `${taskId} ${amount}`).toSorted(), [
      'several r0 0.1',
      'several r1 0.1',
      'several-1 0.1',
      'several-2 0.1',
    ]);
    const used = { ...three, notices: [aNotice('others', 80, '0.3'), aNotice('others', 100, '0.3')] };
    for (const [budget, options] of [
      [{}, three],
      [{ monthlyBudget: '0.3' }, used],
    ] as const)
      await assert.rejects(
        accounts.reserve(image('others', 'r3'), within(budget), options),
        /exists already/,
      );
    assert.deepEqual(await sums('others'), [0, 0, 0]);
    for (const taskId of three.moreTaskIds) assert.equal(await accounts.release({ ...first, taskId }), true);
    assert.deepEqual(await sums('several'), [0, 0.2, 0.2]);
  });

  test('those of a key without a budget are made together', async () => {
    const one = aReservation('unbounded', 'r1', { kind: 'images', countsForKey: false });
    await accounts.reserve(one, within({ createsPerMinute: 9 }), { ...PLAIN, moreTaskIds: ['unbounded-1'] });
    assert.equal((await listDue('unbounded')).held.length, 2);
  });

  test('a refusal returns what is used', async () => {
    await accounts.reserve(aReservation('told', 'r1'), within({}), PLAIN);
    const refused = await accounts.reserve(
      aReservation('told', 'r2'),
      within({ videosAtOnce: 1 }, '0.15'),
      PLAIN,
    );
    assert.partialDeepStrictEqual(refused, {
      outcome: 'refused',
      usage: { committed: '0.1001', committedByKey: '0.1001', videos: 1, creates: 1 },
      marks: {},
    });
  });

  const HELD: readonly (readonly [
    what: string,
    change: Partial<Reservation>,
    held: Awaited<ReturnType<typeof sums>>,
  ])[] = [
    ['a video', {}, [1, 0.1001, 0.1001]],
    ['a video of a key without a budget', { countsForKey: false }, [1, 0.1001, 0]],
    ['a video without a price', { amount: null }, [1, 0, 0]],
    ['an image', { kind: 'images' }, [0, 0.1001, 0.1001]],
    ['an image without a price', { kind: 'images', amount: null }, [0, 0, 0]],
  ];
  for (const [what, change, held] of HELD)
    test(`that of ${what} returns what it holds, once`, async () => {
      const one = aReservation(`held by ${what}`, 'r1', change);
      const strict = within({ videosAtOnce: one.kind === 'images' ? 0 : 1, monthlyBudget: '9' }, '0.1001');
      assert.equal(await outcome(one, strict), 'reserved');
      assert.deepEqual(await sums(one.account), held);
      assert.deepEqual((await listDue(one.account)).held, [one]);
      assert.deepEqual([await accounts.release(one), await accounts.release(one)], [true, false]);
      assert.deepEqual(await sums(one.account), [0, 0, 0]);
    });

  test('one that is taken over is renewed by only one of two requests, and keeps its id and money', async () => {
    const one = aReservation('renewed', 'r1');
    await accounts.reserve(one, within({}), PLAIN);
    const outcomes = await Promise.all([1, 2].map((later) => accounts.renew(one, AT + later)));
    assert.deepEqual(outcomes.toSorted(), [false, true]);
    const { held } = await listDue('renewed');
    const rows = held.map(({ id, at }) => [id, at > AT]);
    assert.deepEqual(rows, [['r1', true]]);
    assert.deepEqual((await listDue('renewed', AT + 120_000)).held, [], 'it is due later');
    assert.deepEqual(await sums('renewed'), [1, 0.1001, 0.1001]);
    assert.equal(await accounts.renew(aReservation('renewed', 'none'), AT), false);
  });

  test('one that is taken over is not released by a request that read it earlier', async () => {
    const one = aReservation('seen', 'r1');
    await accounts.reserve(one, within({}), PLAIN);
    await accounts.renew(one, AT + 5);
    assert.equal(await accounts.release(one, AT), false);
    assert.equal(await accounts.release(one, AT + 5), true);
    assert.deepEqual(await sums('seen'), [0, 0, 0]);
  });

  test('one is not released for an earlier task with the same id', async () => {
    const earlier = aReservation('lives', 'r1');
    const later = aReservation('lives', 'r2', { taskId: 'lives r1' });
    await accounts.reserve(earlier, within({}), PLAIN);
    await accounts.release(earlier);
    await accounts.reserve(later, within({}), PLAIN);
    assert.equal(await accounts.release(earlier), false);
    assert.deepEqual(await sums('lives'), [1, 0.1001, 0.1001]);
  });

  test('the sweeper finds one when it is due, and again at its next check', async () => {
    const video = aReservation('due', 'r1');
    const image = aReservation('due', 'r2', { kind: 'images' });
    for (const one of [video, image]) await accounts.reserve(one, within({}), PLAIN);
    const found = async (time: number) => (await listDue('due', time)).held.map(({ id }) => id).toSorted();
    assert.deepEqual(await found(AT + 119_999), []);
    assert.deepEqual(await found(AT + 120_000), ['r1']);
    assert.deepEqual(await found(AT + 359_999), ['r1']);
    assert.deepEqual(await found(AT + 360_000), ['r1', 'r2']);
    assert.equal(await accounts.postpone(video, AT + 900_000), true);
    assert.deepEqual(await found(AT + 899_999), ['r2']);
    assert.equal(await accounts.postpone({ ...video, at: AT + 1 }, AT), false, 'it was renewed');
    await accounts.release(video);
    assert.equal(await accounts.postpone(video, AT + 900_000), false);
  });
});
