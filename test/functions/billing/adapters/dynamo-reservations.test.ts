import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../../../../functions/billing/adapters/dynamo-accounts.ts';
import {
  dynamoDueReservations,
  dynamoReservations,
} from '../../../../functions/billing/adapters/dynamo-reservations.ts';
import type { BudgetNotice } from '../../../../functions/billing/domain/budget.ts';
import type { Ceilings, Limits, Reservation } from '../../../../functions/billing/domain/limits.ts';
import { accountLimits, reserve } from '../../../../functions/billing/domain/reserve.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { accountsIn, createAuditTable } from '../../../support/audit.ts';
import { NO_LIMITS } from '../../../support/builders/limiter.ts';
import { recordingLogger } from '../../../support/loggers.ts';
import { longOr } from '../../../support/long-tests.ts';
import { createMoneyTables } from '../../../support/money-tables.ts';
import { plainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const tables = await createMoneyTables(client, 'reservations');
const accounts = dynamoAccounts(client, tables.ACCOUNT_TABLE);
const reservations = dynamoReservations(client, tables);
const { logger, errors } = recordingLogger();
const sweeper = dynamoDueReservations(client, tables.RESERVATION_TABLE, logger);

const AT = Date.UTC(2026, 10, 15, 10, 0, 30);
const PLAIN = { outdated: [] };

const reservation = (account: string, id: string, change: Partial<Reservation> = {}): Reservation => ({
  id,
  kind: 'videos',
  account,
  keyId: 'key_1',
  countsForKey: true,
  month: '2026-11',
  amount: '0.1001',
  taskId: `${account} ${id}`,
  at: AT,
  ...change,
});
const within = (limits: Partial<Limits>, keyBudget?: string): Ceilings => ({
  limits: { ...NO_LIMITS, ...limits },
  keyBudget,
});
const itemIn = async (TableName: string, Key: Parameters<typeof encode>[0]) =>
  plainItem((await client.send(new GetItemCommand({ TableName, Key: encode(Key) }))).Item ?? {});
const accountItem = (account: string) => itemIn(tables.ACCOUNT_TABLE, { account });
const committed = async (account: string) => (await accountItem(account))['committed#2026-11'];

const listDue = async (account: string) => {
  const all = await Array.fromAsync(sweeper.due(Number.MAX_SAFE_INTEGER));
  const unreadable = errors.splice(0).map(({ fields }) => fields.key);
  const own = all.filter((one) => one.account === account);
  return {
    held: own.filter((one) => one.kind !== 'budget'),
    notices: own.filter((one) => one.kind === 'budget'),
    unreadable,
  };
};

const aNotice = (account: string, threshold: 80 | 100): BudgetNotice => ({
  kind: 'budget',
  id: `evt_${account}_${threshold}`,
  account,
  month: '2026-11',
  threshold,
  used: '0.85',
  limit: '1',
  currency: 'USD',
  at: AT,
});

test('a changed limit applies to the next reservation, although the limits were read before', async () => {
  const account = 'changing';
  const limiter = {
    accounts: reservations,
    limits: accountLimits(accounts, { ...NO_LIMITS, videosAtOnce: 9 }, () => AT),
    currency: 'USD',
    logger,
    now: () => AT,
  };
  let task = 0;
  const ask = async (amount = '1') => {
    task += 1;
    const request = { kind: 'videos', taskId: `changing-${task}`, what: 'a model', amount } as const;
    return (await reserve(limiter, { account, keyId: 'key_1' }, request))?.reservation.amount;
  };
  const set = (limits: Parameters<typeof encode>[0]) =>
    client.send(
      new PutItemCommand({
        TableName: tables.ACCOUNT_TABLE,
        Item: encode({ account, 'committed#2026-11': 5, videos: 1, ...limits }),
      }),
    );
  assert.equal(await ask(), '1');
  await set({ monthlyBudget: '5.5' });
  await assert.rejects(ask(), { code: 'insufficient_quota', message: /\$0\.50 left/ });
  await set({ monthlyBudget: '7' });
  assert.equal(await ask(), '1');
  await set({ monthlyBudget: '2' });
  await assert.rejects(ask('3'), { message: /alone costs 3\.$/ });
  await set({ monthlyBudget: '20', videosAtOnce: null });
  assert.equal(await ask('3'), '3', 'a request that exceeded the whole budget before');
  await set({ monthlyBudget: '20', videosAtOnce: 1 });
  await assert.rejects(ask(), { code: 'rate_limited' });
  await set({ monthlyBudget: null, videosAtOnce: null });
  assert.equal(await ask(), undefined, 'no limits are left');
});

const RACES: readonly (readonly [name: string, ceilings: Ceilings, admitted: number, told: number])[] = [
  ['a budget', within({ monthlyBudget: '1.001' }), 10, 1],
  ['a budget that is short of the last one by the last decimal', within({ monthlyBudget: '1.000999' }), 9, 1],
  ['the budget of a key', within({}, '0.51'), 5, 0],
  ['videos at once', within({ videosAtOnce: 7 }), 7, 0],
  ['creates a minute', within({ createsPerMinute: 3 }), 3, 0],
];
const CONCURRENT = longOr(15, 50);
for (const [name, { limits, keyBudget }, admitted, told] of RACES)
  test(`admits ${admitted} of ${CONCURRENT} concurrent reservations with ${name}`, async () => {
    const events: string[] = [];
    const limiter = {
      accounts: reservations,
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
    assert.deepEqual(
      notices.map(({ threshold, month }) => `${threshold} ${month}`).toSorted(),
      told === 0 ? [] : ['100 2026-11', '80 2026-11'],
    );
    assert.equal(held.length, admitted);
    await Promise.all([...held, ...held].map((one) => reservations.release(one)));
    const item = await accountItem(name);
    assert.deepEqual([item.videos, item['committed#2026-11'], await committed(`${name}#key_1`)], [0, 0, 0]);
  });

test('a reservation that reaches 80 % or 100 % of a budget has to mark it first, with a notice', async () => {
  const ceilings = within({ monthlyBudget: '1' });
  const big = (account: string, id: string, amount: string) => reservation(account, id, { amount });
  const tryOnce = async (one: Reservation, ...thresholds: (80 | 100)[]) => {
    const notices = thresholds.map((threshold) => aNotice(one.account, threshold));
    return (await reservations.reserve(one, ceilings, { outdated: [], notices })).outcome;
  };
  assert.equal(await tryOnce(big('marked', 'r1', '0.7')), 'reserved');
  assert.equal(await tryOnce(big('marked', 'r2', '0.05'), 80), 'refused', '75 % are not 80 %');
  assert.equal(await tryOnce(big('marked', 'r2', '0.1')), 'refused');
  assert.equal(await tryOnce(big('marked', 'r2', '0.1'), 80), 'reserved');
  assert.equal(await tryOnce(big('marked', 'r3', '0.1'), 80), 'refused', 'it is marked');
  assert.equal(await tryOnce(big('marked', 'r3', '0.1')), 'reserved');
  assert.equal(await tryOnce(big('marked', 'r4', '0.1')), 'refused');
  assert.equal(await tryOnce(big('marked', 'r4', '0.1'), 100), 'reserved');
  assert.equal(await tryOnce(big('at once', 'r1', '1')), 'refused');
  assert.equal(await tryOnce(big('at once', 'r1', '1'), 80), 'refused');
  assert.equal(await tryOnce(big('at once', 'r1', '1'), 80, 100), 'reserved');
  const { notices } = await listDue('marked');
  assert.deepEqual(notices.map(({ threshold }) => threshold).toSorted(), [100, 80]);
  for (const notice of notices) await sweeper.removeNotice(notice);
  assert.deepEqual((await listDue('marked')).notices, []);
  assert.deepEqual((await accounts.find('marked', AT))?.marks, {
    'reached80#2026-11#1': '0.85',
    'reached100#2026-11#1': '0.85',
  });
});

test('a refused request marks its thresholds once, unless less is used since', async () => {
  await reservations.reserve(reservation('refused', 'r1', { amount: '0.9' }), within({}), PLAIN);
  const notices = [aNotice('refused', 80), aNotice('refused', 100)];
  const more = notices.map((notice) => ({ ...notice, used: '0.91' }));
  assert.equal(await reservations.markRefusal(more), false);
  assert.equal(await reservations.markRefusal(notices), true);
  assert.equal(await reservations.markRefusal(notices), false);
  assert.equal(await reservations.markRefusal([]), false);
  assert.deepEqual((await listDue('refused')).notices.length, 2);
});

test('a repeated reservation counts once, and returns the existing one', async () => {
  const one = reservation('again', 'r1');
  const ceilings = within({ videosAtOnce: 5 });
  assert.deepEqual(await reservations.reserve(one, ceilings, PLAIN), { outcome: 'reserved' });
  assert.deepEqual(await reservations.reserve({ ...one, id: 'r2', at: AT + 1 }, ceilings, PLAIN), {
    outcome: 'taken',
    held: one,
  });
  assert.deepEqual([await committed('again'), (await accountItem('again')).videos], [0.1001, 1]);
});

test('reservations of one request are made together or not at all', async () => {
  const image = (name: string, id: string) => reservation(name, id, { kind: 'images', amount: '0.1' });
  const ceilings = within({ monthlyBudget: '0.5', createsPerMinute: 3 });
  const three = { ...PLAIN, moreTaskIds: ['several-1', 'several-2'] };
  assert.equal((await reservations.reserve(image('several', 'r1'), ceilings, three)).outcome, 'reserved');
  assert.equal(await committed('several'), 0.3);
  const { outcome } = await reservations.reserve(image('several', 'r2'), ceilings, PLAIN);
  assert.equal(outcome, 'refused');
  await assert.rejects(reservations.reserve(image('others', 'r3'), within({}), three), /exists already/);
  for (const taskId of three.moreTaskIds)
    assert.equal(await reservations.release({ ...image('several', 'r1'), taskId }), true);
  assert.equal(await committed('several'), 0.1);
});

test('a refusal returns the usage', async () => {
  await reservations.reserve(reservation('told', 'r1'), within({}), PLAIN);
  assert.deepEqual(
    await reservations.reserve(reservation('told', 'r2'), within({ videosAtOnce: 1 }, '0.15'), PLAIN),
    {
      outcome: 'refused',
      usage: { committed: '0.1001', committedByKey: '0.1001', videos: 1, creates: 1 },
      marks: {},
      limits: { ...NO_LIMITS, keptMegabytes: undefined },
    },
  );
});

test('a reservation of a key without a budget counts only for the account', async () => {
  const one = reservation('plain', 'r1', { countsForKey: false });
  await reservations.reserve(one, within({ monthlyBudget: '1' }), PLAIN);
  assert.deepEqual([await committed('plain'), await accountItem('plain#key_1')], [0.1001, {}]);
  assert.equal(await reservations.release(one), true);
  assert.equal(await committed('plain'), 0);
});

test('a reservation without a price takes a slot but no money', async () => {
  const one = reservation('unpriced', 'r1', { amount: null });
  assert.equal((await reservations.reserve(one, within({ videosAtOnce: 1 }), PLAIN)).outcome, 'reserved');
  assert.equal(await reservations.release(one), true);
  assert.equal(await reservations.release(one), false);
  const item = await accountItem('unpriced');
  assert.equal(item.videos, 0);
  assert.ok(!Object.keys(item).some((name) => name.startsWith('committed')));
});

describe('a reservation that is taken over', () => {
  test('is renewed by only one of two requests, and keeps its id and money', async () => {
    const one = reservation('renewed', 'r1');
    await reservations.reserve(one, within({}), PLAIN);
    const outcomes = await Promise.all([1, 2].map((later) => reservations.renew(one, AT + later)));
    assert.deepEqual(outcomes.toSorted(), [false, true]);
    assert.equal(await committed('renewed'), 0.1001);
  });

  test('is not released by a request that read it earlier', async () => {
    const one = reservation('seen', 'r1');
    await reservations.reserve(one, within({}), PLAIN);
    await reservations.renew(one, AT + 5);
    assert.equal(await reservations.release(one, AT), false);
    assert.equal(await reservations.release(one, AT + 5), true);
    assert.equal(await committed('seen'), 0);
  });

  test('is not released for an earlier task with the same id', async () => {
    const [earlier, later] = [reservation('lives', 'r1'), reservation('lives', 'r2', { taskId: 'lives r1' })];
    await reservations.reserve(earlier, within({}), PLAIN);
    await reservations.release(earlier);
    await reservations.reserve(later, within({}), PLAIN);
    assert.equal(await reservations.release(earlier), false);
    assert.equal(await committed('lives'), 0.1001);
  });
});

describe('the sweeper', () => {
  test('finds a reservation when it is due, and again at its next check', async () => {
    const video = reservation('due', 'r1');
    const image = reservation('due', 'r2', { kind: 'images' });
    for (const one of [video, image]) await reservations.reserve(one, within({}), PLAIN);
    const found = async (time: number) => {
      const all = await Array.fromAsync(sweeper.due(time));
      return all.filter(({ account }) => account === 'due').map(({ id }) => id);
    };
    assert.deepEqual(await found(AT + 119_999), []);
    assert.deepEqual(await found(AT + 120_000), ['r1']);
    assert.deepEqual((await found(AT + 360_000)).toSorted(), ['r1', 'r2']);
    assert.equal(await sweeper.postpone(video, AT + 900_000), true);
    assert.deepEqual(await found(AT + 360_000), ['r2']);
    await reservations.release(video);
    assert.equal(await sweeper.postpone(video, AT + 900_000), false);
  });

  test('logs an unreadable item and finds the others', async () => {
    const Item = encode({ taskId: 'corrupt', due_shard: 'due-0', due_at: 1, account: 'corrupt' });
    await client.send(new PutItemCommand({ TableName: tables.RESERVATION_TABLE, Item }));
    const one = reservation('beside', 'r1');
    await reservations.reserve(one, within({}), PLAIN);
    const { held, unreadable } = await listDue('beside');
    assert.deepEqual([held, unreadable], [[one], ['corrupt']]);
    await assert.rejects(
      reservations.reserve({ ...one, taskId: 'corrupt' }, within({}), PLAIN),
      /the reservation of corrupt cannot be read/,
    );
  });
});

describe('the item of an account', () => {
  const itemBytes = async (account: string) => JSON.stringify(await accountItem(account)).length;

  test('loses the counters of past periods with the next reservation', async () => {
    for (const [id, days, month] of [
      ['r1', 60, '2026-09'],
      ['r2', 20, '2026-10'],
    ] as const)
      await reservations.reserve(
        reservation('periods', id, { at: AT - days * 86_400_000, month }),
        within({}),
        PLAIN,
      );
    const { outdated = [] } = (await accounts.find('periods', AT)) ?? {};
    await reservations.reserve(reservation('periods', 'r3'), within({}), { ...PLAIN, outdated });
    const names = async (account: string) =>
      Object.keys(await accountItem(account))
        .filter((name) => name.includes('#'))
        .toSorted();
    assert.deepEqual(await names('periods'), [
      'committed#2026-10',
      'committed#2026-11',
      `creates#${AT / 60_000 - 0.5}`,
    ]);
    assert.deepEqual(await names('periods#key_1'), ['committed#2026-10', 'committed#2026-11']);
  });

  test('stays under 2 KB with 60 open reservations of 60 keys in 60 minutes', async () => {
    const ceilings = within({ monthlyBudget: '1000', videosAtOnce: 1000, createsPerMinute: 10 });
    const { table: auditTable } = await createAuditTable(client, 'reservations');
    const admin = accountsIn(client, tables.ACCOUNT_TABLE, auditTable);
    await admin.set('crowd', { monthlyBudget: '1000', videosAtOnce: 1000, createsPerMinute: 10 });
    for (let minute = 0; minute < 60; minute += 1) {
      const at = AT + minute * 60_000;
      const { outdated = [] } = (await accounts.find('crowd', at)) ?? {};
      const one = reservation('crowd', `r${minute}`, { at, keyId: `key_${minute}` });
      await reservations.reserve(one, ceilings, { ...PLAIN, outdated });
    }
    assert.equal((await admin.show('crowd', AT))?.videos, 60);
    assert.ok((await itemBytes('crowd')) < 1000, `${await itemBytes('crowd')} bytes`);
    assert.deepEqual(
      (await admin.list(AT)).filter(({ account }) => account.startsWith('crowd')).length,
      1,
      'keys are not listed as accounts',
    );
  });
});
