import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../../../functions/adapters/dynamo-accounts.ts';
import { dynamoReservations } from '../../../functions/adapters/dynamo-reservations.ts';
import type { Ceilings, Limits, Reservation } from '../../../functions/domain/limits.ts';
import { emulated } from '../../lib/local/emulators/emulated.ts';
import { NO_LIMITS } from '../../support/builders/limiter.ts';
import { createMoneyTables } from '../../support/money-tables.ts';
import { plainItem } from '../../support/plain-item.ts';

const cloud = await emulated();
after(() => cloud.end());
const client = cloud.clients.dynamo;
const { ACCOUNT_TABLE } = await createMoneyTables(client, 'accounts');
const accounts = dynamoAccounts(client, ACCOUNT_TABLE);
const { reservations } = dynamoReservations(client, ACCOUNT_TABLE);

const AT = Date.UTC(2026, 10, 15, 10, 0, 30);

const reservation = (account: string, id: string, change: Partial<Reservation> = {}): Reservation => ({
  id,
  kind: 'videos',
  account,
  keyId: 'key_1',
  countsForKey: true,
  month: '2026-11',
  amount: '0.1001',
  taskId: `task ${id}`,
  at: AT,
  ...change,
});
const within = (limits: Partial<Limits>, keyBudget?: string): Ceilings => ({
  limits: { ...NO_LIMITS, ...limits },
  keyBudget,
});
const itemOf = async (account: string) =>
  plainItem(
    (await client.send(new GetItemCommand({ TableName: ACCOUNT_TABLE, Key: { account: { S: account } } })))
      .Item ?? {},
  );

const RACES: readonly (readonly [name: string, ceilings: Ceilings, admitted: number])[] = [
  ['a budget', within({ monthlyBudget: '1.001' }), 10],
  ['a budget that is short of the last one by the last decimal', within({ monthlyBudget: '1.000999' }), 9],
  ['the budget of a key', within({}, '0.51'), 5],
  ['videos at once', within({ videosAtOnce: 7 }), 7],
  ['creates a minute', within({ createsPerMinute: 3 }), 3],
];
for (const [name, ceilings, admitted] of RACES)
  test(`of 50 reservations at once just ${admitted} are within ${name}`, async () => {
    await accounts.open(name);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, position) =>
        accounts.reserve(reservation(name, `r${position}`), ceilings, []),
      ),
    );
    assert.equal(outcomes.filter(({ reserved }) => reserved).length, admitted);
    const held = (await Array.fromAsync(reservations())).filter(({ account }) => account === name);
    assert.equal(held.length, admitted);
    await Promise.all([...held, ...held].map((one) => accounts.release(one)));
    const item = await itemOf(name);
    assert.deepEqual([item.videos, item['committed#2026-11'], item['key#key_1#2026-11']], [{}, 0, 0]);
  });

test('a reservation that is sent again has won, and counts once', async () => {
  await accounts.open('again');
  const one = reservation('again', 'r1');
  for (let tries = 0; tries < 2; tries += 1)
    assert.equal((await accounts.reserve(one, within({ monthlyBudget: '0.1001' }), [])).reserved, true);
  assert.equal((await itemOf('again'))['committed#2026-11'], 0.1001);
});

test('what was in the way is told, with what is held', async () => {
  await accounts.open('told');
  await accounts.reserve(reservation('told', 'r1'), within({}), []);
  const { reserved, use, held } = await accounts.reserve(
    reservation('told', 'r2'),
    within({ videosAtOnce: 1 }),
    [],
  );
  assert.equal(reserved, false);
  assert.deepEqual(use, { committed: '0.1001', committedByKey: '0.1001', videos: 1, creates: 1 });
  assert.deepEqual(held, [reservation('told', 'r1')]);
});

test('a reservation of a key without a budget is counted for the account alone', async () => {
  await accounts.open('plain');
  const [one, two] = ['r1', 'r2'].map((id) => reservation('plain', id, { countsForKey: false }));
  assert.ok(one !== undefined && two !== undefined);
  for (const each of [one, two])
    assert.equal((await accounts.reserve(each, within({ monthlyBudget: '1' }), [])).reserved, true);
  assert.equal(await accounts.release(one), true);
  assert.deepEqual(
    await Array.fromAsync(reservations()).then((all) => all.filter(({ account }) => account === 'plain')),
    [two],
  );
  const { 'committed#2026-11': committed, ...others } = await itemOf('plain');
  assert.equal(committed, 0.1001);
  assert.ok(!Object.keys(others).some((name) => name.startsWith('key#')));
});

test('a reservation without a price holds its place, and no money', async () => {
  await accounts.open('unpriced');
  const one = reservation('unpriced', 'r1', { amount: null });
  assert.equal((await accounts.reserve(one, within({ videosAtOnce: 1 }), [])).reserved, true);
  assert.equal(await accounts.release(one), true);
  assert.equal(await accounts.release(one), false);
  assert.ok(!Object.keys(await itemOf('unpriced')).some((name) => name.startsWith('committed')));
});

test('counters of periods that are over go with the next reservation', async () => {
  await accounts.open('periods');
  const inSeptember = reservation('periods', 'r1', { at: AT - 60 * 86_400_000, month: '2026-09' });
  await accounts.reserve(inSeptember, within({}), []);
  await accounts.reserve(
    reservation('periods', 'r2', { at: AT - 20 * 86_400_000, month: '2026-10' }),
    within({}),
    [],
  );
  const found = await accounts.find('periods', AT);
  await accounts.reserve(reservation('periods', 'r3'), within({}), found?.outdated ?? []);
  const names = Object.keys(await itemOf('periods')).filter((name) => name.includes('#'));
  assert.deepEqual(names.toSorted(), [
    'committed#2026-10',
    'committed#2026-11',
    `creates#${AT / 60_000 - 0.5}`,
    'key#key_1#2026-10',
    'key#key_1#2026-11',
  ]);
});
