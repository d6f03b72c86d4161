import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../../../../functions/billing/adapters/dynamo-accounts.ts';
import {
  dynamoDueReservations,
  dynamoReservations,
} from '../../../../functions/billing/adapters/dynamo-reservations.ts';
import { readReservation, toItem } from '../../../../functions/billing/adapters/reservation-writes.ts';
import { accountLimits, reserve } from '../../../../functions/billing/domain/reserve.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { accountsIn, createAuditTable } from '../../../support/audit.ts';
import { AT, aReservation, NO_LIMITS, within } from '../../../support/builders/limiter.ts';
import { recordingLogger } from '../../../support/loggers.ts';
import { createMoneyTables } from '../../../support/money-tables.ts';
import { readPlainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const tables = await createMoneyTables(client, 'reservation-items');
const accounts = dynamoAccounts(client, tables.ACCOUNT_TABLE);
const reservations = dynamoReservations(client, tables);

const PLAIN = { outdated: [] };
const accountItem = (account: string) => readPlainItem(client, tables.ACCOUNT_TABLE, { account });

test('a changed limit applies to the next reservation, although the limits were read before', async () => {
  const account = 'changing';
  const limiter = {
    accounts: { ...accounts, ...reservations },
    limits: accountLimits(accounts, { ...NO_LIMITS, videosAtOnce: 9 }, () => AT),
    currency: 'USD',
    logger: recordingLogger().logger,
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

test('a refusal of the account returns its limits, one of the key does not', async () => {
  await reservations.reserve(aReservation('told', 'r1'), within({}), PLAIN);
  const refused = async (ceilings: ReturnType<typeof within>) => {
    const result = await reservations.reserve(aReservation('told', 'r2'), ceilings, PLAIN);
    return result.outcome === 'refused' ? result.limits : assert.fail();
  };
  assert.deepEqual(await refused(within({ videosAtOnce: 1 })), { ...NO_LIMITS, keptMegabytes: undefined });
  assert.equal(await refused(within({}, '0.15')), undefined);
});

describe('the item of a reservation', () => {
  const RESERVATION = aReservation('acme', 'r1');

  test('can be read, and is spread over the due index', () => {
    for (const one of [RESERVATION, { ...RESERVATION, kind: 'images', amount: null } as const])
      assert.deepEqual(readReservation(toItem(one)), one);
    const shards = Array.from({ length: 40 }, (_, id) => toItem(aReservation('acme', `r${id}`)).due_shard?.S);
    assert.deepEqual([...new Set(shards)].toSorted(), ['due-0', 'due-1', 'due-2', 'due-3']);
  });

  for (const name of Object.keys(RESERVATION))
    test(`is corrupt without ${name}`, () => {
      const { [name]: _, ...rest } = toItem(RESERVATION);
      assert.throws(() => readReservation(rest), new RegExp(`corrupt: ${name}$`));
    });

  test('is logged if it cannot be read, and others are found', async () => {
    const { logger, errors } = recordingLogger();
    const sweeper = dynamoDueReservations(client, tables.RESERVATION_TABLE, logger);
    const Item = encode({ taskId: 'corrupt', due_shard: 'due-0', due_at: 1, account: 'corrupt' });
    await client.send(new PutItemCommand({ TableName: tables.RESERVATION_TABLE, Item }));
    const one = aReservation('beside', 'r1');
    await reservations.reserve(one, within({}), PLAIN);
    const due = await Array.fromAsync(sweeper.due(Number.MAX_SAFE_INTEGER));
    const beside = due.filter(({ account }) => account === 'beside');
    assert.deepEqual(beside, [one]);
    const keys = errors.map(({ fields }) => fields.key);
    assert.deepEqual(keys, ['corrupt']);
    await assert.rejects(
      reservations.reserve({ ...one, taskId: 'corrupt' }, within({}), PLAIN),
      /the reservation of corrupt cannot be read/,
    );
  });
});

describe('the item of an account', () => {
  test('loses the counters of past periods with the next reservation', async () => {
    for (const [id, days, month] of [
      ['r1', 60, '2026-09'],
      ['r2', 20, '2026-10'],
    ] as const)
      await reservations.reserve(
        aReservation('periods', id, { at: AT - days * 86_400_000, month }),
        within({}),
        PLAIN,
      );
    const { outdated = [] } = (await accounts.find('periods', AT)) ?? {};
    await reservations.reserve(aReservation('periods', 'r3'), within({}), { outdated });
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

  test('stays under 1 KB with 60 open reservations of 60 keys in 60 minutes', async () => {
    const limits = { monthlyBudget: '1000', videosAtOnce: 1000, createsPerMinute: 10 };
    const { table: auditTable } = await createAuditTable(client, 'reservations');
    const admin = accountsIn(client, tables.ACCOUNT_TABLE, auditTable);
    await admin.set('crowd', limits);
    for (let minute = 0; minute < 60; minute += 1) {
      const at = AT + minute * 60_000;
      const { outdated = [] } = (await accounts.find('crowd', at)) ?? {};
      const one = aReservation('crowd', `r${minute}`, { at, keyId: `key_${minute}` });
      await reservations.reserve(one, within(limits), { outdated });
    }
    assert.equal((await admin.show('crowd', AT))?.videos, 60);
    const { length } = JSON.stringify(await accountItem('crowd'));
    assert.ok(length < 1000, `${length} bytes`);
    const listed = (await admin.list(AT)).filter(({ account }) => account.startsWith('crowd'));
    assert.equal(listed.length, 1, 'keys are not listed as accounts');
  });
});
