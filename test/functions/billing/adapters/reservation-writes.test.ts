import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  chargedWrites,
  readDueItem,
  readReservation,
  refusalWrites,
  releaseWrites,
  reserveWrites,
  spendingWrites,
  toItem,
} from '../../../../functions/billing/adapters/reservation-writes.ts';
import type { BudgetNotice } from '../../../../functions/billing/domain/budget.ts';
import type { Ceilings, Limits, Reservation } from '../../../../functions/billing/domain/limits.ts';
import type { ReserveOptions } from '../../../../functions/billing/domain/ports.ts';
import { plainItem } from '../../../support/plain-item.ts';

const TABLES = { ACCOUNT_TABLE: 'accounts', RESERVATION_TABLE: 'reservations' };
/** In minute 29407200. */
const AT = Date.UTC(2025, 10, 30);
const RESERVATION: Reservation = {
  id: 'r1',
  kind: 'videos',
  account: 'acme',
  keyId: 'key_1',
  countsForKey: true,
  month: '2025-11',
  amount: '3.20',
  taskId: 'task_1',
  at: AT,
};
const IMAGE: Reservation = { ...RESERVATION, kind: 'images', countsForKey: false };
const ceilings = (limits: Partial<Limits> = {}, keyBudget?: string): Ceilings => ({
  limits: { monthlyBudget: undefined, videosAtOnce: undefined, createsPerMinute: undefined, ...limits },
  keyBudget,
});
const PLAIN: ReserveOptions = { outdated: [] };

/** The counters of the year before the previous month, which every charge removes. */
const OUTDATED = Object.fromEntries(
  [
    ...['2025-09', '2025-08', '2025-07', '2025-06', '2025-05', '2025-04', '2025-03', '2025-02', '2025-01'],
    ...['2024-12', '2024-11', '2024-10'],
  ].map((month, position) => [`#outdated${position}`, `committed#${month}`]),
);
const REMOVAL = `REMOVE ${Object.keys(OUTDATED).join(', ')}`;

const removed = (condition: object) => ({
  Delete: { TableName: 'reservations', Key: { taskId: { S: 'task_1' } }, ...condition },
});
const REMOVED = removed({
  ConditionExpression: '#id = :id',
  ExpressionAttributeNames: { '#id': 'id' },
  ExpressionAttributeValues: { ':id': { S: 'r1' } },
});

describe('a reservation', () => {
  test('is written once, and counted for its account and its key', () => {
    assert.deepEqual(reserveWrites(TABLES, RESERVATION, ceilings(), PLAIN), [
      {
        Put: {
          TableName: 'reservations',
          Item: toItem(RESERVATION),
          ConditionExpression: 'attribute_not_exists(taskId)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      {
        Update: {
          TableName: 'accounts',
          Key: { account: { S: 'acme' } },
          UpdateExpression: 'ADD #creates :count, #videos :count, #committed :amount',
          ExpressionAttributeNames: {
            '#creates': 'creates#29407680',
            '#videos': 'videos',
            '#committed': 'committed#2025-11',
          },
          ExpressionAttributeValues: { ':count': { N: '1' }, ':amount': { N: '3.20' } },
        },
      },
      {
        Update: {
          TableName: 'accounts',
          Key: { account: { S: 'acme#key_1' } },
          UpdateExpression: `ADD #committed :amount ${REMOVAL}`,
          ExpressionAttributeNames: { '#committed': 'committed#2025-11', ...OUTDATED },
          ExpressionAttributeValues: { ':amount': { N: '3.20' } },
        },
      },
    ]);
  });

  /** The updates of the account and of the key. */
  const bounded = (limits: Ceilings, options = PLAIN, reservation = RESERVATION) => {
    const [, account, key] = reserveWrites(TABLES, reservation, limits, options).map(({ Update }) => Update);
    return { account, key };
  };

  test('has a condition for every limit', () => {
    const limits = ceilings({ monthlyBudget: '10', createsPerMinute: 5, videosAtOnce: 2 }, '5');
    const { account, key } = bounded(limits);
    assert.equal(
      account?.ConditionExpression,
      'NOT #committed > :most AND (attribute_exists(#mark80) OR NOT #committed >= :least80) AND (attribute_exists(#mark100) OR NOT #committed >= :least100) AND NOT #creates > :perMinute AND NOT #videos > :atOnce',
    );
    assert.deepEqual(account?.ExpressionAttributeValues, {
      ':count': { N: '1' },
      ':amount': { N: '3.20' },
      ':most': { N: '6.80' },
      ':least80': { N: '4.80' },
      ':least100': { N: '6.80' },
      ':perMinute': { N: '4' },
      ':atOnce': { N: '1' },
    });
    assert.deepEqual(
      [account?.ExpressionAttributeNames?.['#mark80'], account?.ExpressionAttributeNames?.['#mark100']],
      ['reached80#2025-11#10', 'reached100#2025-11#10'],
    );
    assert.equal(account?.ReturnValuesOnConditionCheckFailure, 'ALL_OLD');
    assert.deepEqual(
      [
        key?.ConditionExpression,
        key?.ExpressionAttributeValues?.[':most'],
        key?.ReturnValuesOnConditionCheckFailure,
      ],
      ['NOT #committed > :most', { N: '1.80' }, 'ALL_OLD'],
    );
  });

  test('of several images is one transaction that counts all of them', () => {
    const limits = ceilings({ monthlyBudget: '10', createsPerMinute: 5 }, '5');
    const writes = reserveWrites(TABLES, { ...IMAGE, amount: '0.10', countsForKey: true }, limits, {
      ...PLAIN,
      moreTaskIds: ['task_2', 'task_3'],
    });
    assert.deepEqual(
      writes.map(({ Put }) => [Put?.Item?.taskId?.S, Put?.Item?.amount?.S, Put?.ConditionExpression]),
      [
        [IMAGE.taskId, '0.10', 'attribute_not_exists(taskId)'],
        [undefined, undefined, undefined],
        [undefined, undefined, undefined],
        ['task_2', '0.10', 'attribute_not_exists(taskId)'],
        ['task_3', '0.10', 'attribute_not_exists(taskId)'],
      ],
    );
    const [, account, key] = writes.map(({ Update }) => Update?.ExpressionAttributeValues ?? {});
    assert.deepEqual(
      [account?.[':count'], account?.[':amount'], account?.[':most'], account?.[':perMinute']],
      [{ N: '3' }, { N: '0.30' }, { N: '9.70' }, { N: '2' }],
    );
    assert.deepEqual([key?.[':amount'], key?.[':most']], [{ N: '0.30' }, { N: '4.70' }]);
  });

  const notice = (threshold: 80 | 100, limit: string): BudgetNotice => ({
    kind: 'budget',
    id: `evt_${threshold}`,
    account: 'acme',
    month: '2025-11',
    threshold,
    used: '9.60',
    limit,
    currency: 'USD',
    at: AT,
  });

  test('marks a threshold that it reaches, with a notice that is due at once', () => {
    const options = { outdated: [], notices: [notice(80, '10')], moreTaskIds: ['task_2'] };
    const writes = reserveWrites(TABLES, IMAGE, ceilings({ monthlyBudget: '10' }), options);
    const marking = writes[1]?.Update;
    assert.match(marking?.UpdateExpression ?? '', /^SET #mark80 = :used ADD /);
    assert.match(
      marking?.ConditionExpression ?? '',
      / AND attribute_not_exists\(#mark80\) AND #committed >= :least80 AND \(attribute_exists\(#mark100\) OR /,
    );
    assert.deepEqual(marking?.ExpressionAttributeValues?.[':used'], { N: '9.60' });
    const { Item, ...rest } = writes.at(-1)?.Put ?? {};
    assert.deepEqual(rest, { TableName: 'reservations' });
    const { id: taskId, ...fields } = notice(80, '10');
    const shard = Item?.due_shard?.S;
    assert.deepEqual(plainItem(Item ?? {}), { ...fields, taskId, due_at: AT, due_shard: shard });
    assert.deepEqual(Item && readDueItem(Item), notice(80, '10'));
  });

  test('requires the mark of a threshold that it reaches by itself', () => {
    const condition = (monthlyBudget: string) =>
      bounded(ceilings({ monthlyBudget })).account?.ConditionExpression;
    const [exists80, exists100] = ['attribute_exists(#mark80)', 'attribute_exists(#mark100)'];
    assert.equal(condition('3.20'), `NOT #committed > :most AND ${exists80} AND ${exists100}`);
    assert.equal(
      condition('4'),
      `NOT #committed > :most AND ${exists80} AND (${exists100} OR NOT #committed >= :least100)`,
    );
    assert.match(condition('4.01') ?? '', /OR NOT #committed >= :least80/);
    assert.equal(condition('0'), 'NOT #committed > :most', 'a budget of 0 has no thresholds');
  });

  test('that is refused marks thresholds only if as much is still used', () => {
    const writes = refusalWrites(TABLES, [notice(80, '10'), notice(100, '10')]);
    assert.deepEqual(writes[0]?.Update, {
      TableName: 'accounts',
      Key: { account: { S: 'acme' } },
      UpdateExpression: 'SET #mark80 = :used, #mark100 = :used',
      ConditionExpression:
        '#committed >= :used AND attribute_not_exists(#mark80) AND attribute_not_exists(#mark100)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ExpressionAttributeNames: {
        '#committed': 'committed#2025-11',
        '#mark80': 'reached80#2025-11#10',
        '#mark100': 'reached100#2025-11#10',
      },
      ExpressionAttributeValues: { ':used': { N: '9.60' } },
    });
    assert.deepEqual(
      writes.slice(1).map(({ Put }) => Put?.Item?.taskId?.S),
      ['evt_80', 'evt_100'],
    );
  });

  test('removes outdated counters', () => {
    const { account } = bounded(ceilings(), {
      outdated: ['creates#1', 'committed#2024-01'],
    });
    assert.match(account?.UpdateExpression ?? '', / REMOVE #outdated0, #outdated1$/);
    assert.deepEqual(
      [account?.ExpressionAttributeNames?.['#outdated0'], account?.ExpressionAttributeNames?.['#outdated1']],
      ['creates#1', 'committed#2024-01'],
    );
  });

  test('of an image takes no video slot', () => {
    const { account, key } = bounded(ceilings({ videosAtOnce: 1 }), PLAIN, IMAGE);
    assert.deepEqual(
      [account?.UpdateExpression, account?.ConditionExpression, key],
      ['ADD #creates :count, #committed :amount', undefined, undefined],
    );
  });

  test('without a price commits no money', () => {
    const { account, key } = bounded(ceilings({ monthlyBudget: '1' }, '1'), PLAIN, {
      ...RESERVATION,
      amount: null,
    });
    assert.deepEqual(
      [account?.UpdateExpression, account?.ExpressionAttributeValues, account?.ConditionExpression, key],
      ['ADD #creates :count, #videos :count', { ':count': { N: '1' } }, undefined, undefined],
    );
  });
});

describe('a released reservation', () => {
  const BACK = { ':back': { N: '-3.20' } };

  test('returns its slot and its money to the account and the key', () => {
    assert.deepEqual(releaseWrites(TABLES, RESERVATION), [
      REMOVED,
      {
        Update: {
          TableName: 'accounts',
          Key: { account: { S: 'acme' } },
          UpdateExpression: 'ADD #videos :less, #committed :back',
          ExpressionAttributeNames: { '#videos': 'videos', '#committed': 'committed#2025-11' },
          ExpressionAttributeValues: { ':less': { N: '-1' }, ...BACK },
        },
      },
      {
        Update: {
          TableName: 'accounts',
          Key: { account: { S: 'acme#key_1' } },
          UpdateExpression: 'ADD #committed :back',
          ExpressionAttributeNames: { '#committed': 'committed#2025-11' },
          ExpressionAttributeValues: BACK,
        },
      },
    ]);
  });

  test('must not have been renewed, if a time is given', () => {
    const [write] = releaseWrites(TABLES, RESERVATION, 7);
    assert.deepEqual(
      write,
      removed({
        ConditionExpression: '#id = :id AND #at = :at',
        ExpressionAttributeNames: { '#id': 'id', '#at': 'at' },
        ExpressionAttributeValues: { ':id': { S: 'r1' }, ':at': { N: '7' } },
      }),
    );
  });

  const releaseChanges = (reservation: Reservation) =>
    releaseWrites(TABLES, reservation).map(({ Update }) => [
      Update?.UpdateExpression,
      Update?.ExpressionAttributeValues,
    ]);

  test('returns only what it holds: a slot, money, or neither', () => {
    const nothing = [undefined, undefined];
    assert.deepEqual(releaseChanges({ ...RESERVATION, amount: null }), [
      nothing,
      ['ADD #videos :less', { ':less': { N: '-1' } }],
    ]);
    assert.deepEqual(releaseChanges(IMAGE), [nothing, ['ADD #committed :back', BACK]]);
    assert.deepEqual(releaseChanges({ ...IMAGE, amount: null }), [nothing]);
  });
});

const CHARGED = { amount: '3.20', time: AT };

/** The item of the key after a charge; the amount is absent if its reservation has counted it. */
const used = (amount?: string) => ({
  Update: {
    TableName: 'accounts',
    Key: { account: { S: 'acme#key_1' } },
    UpdateExpression: `SET #lastCharge = :time ${amount === undefined ? '' : 'ADD #committed :amount '}${REMOVAL}`,
    ExpressionAttributeNames: {
      ...(amount === undefined ? {} : { '#committed': 'committed#2025-11' }),
      '#lastCharge': 'lastChargedAt',
      ...OUTDATED,
    },
    ExpressionAttributeValues: {
      ':time': { N: String(AT) },
      ...(amount === undefined ? {} : { ':amount': { N: amount } }),
    },
  },
});
const SESSION = `sess_${'0'.repeat(32)}`;

describe('a charged reservation', () => {
  test('returns its slot and keeps its money', () => {
    assert.deepEqual(chargedWrites(TABLES, RESERVATION, CHARGED), [
      REMOVED,
      {
        Update: {
          TableName: 'accounts',
          Key: { account: { S: 'acme' } },
          UpdateExpression: 'ADD #videos :less',
          ExpressionAttributeNames: { '#videos': 'videos' },
          ExpressionAttributeValues: { ':less': { N: '-1' } },
        },
      },
      used(),
    ]);
  });

  test('without a budget of its key adds its money to the key', () => {
    assert.deepEqual(chargedWrites(TABLES, IMAGE, CHARGED), [REMOVED, used('3.20')]);
  });

  test('of a console session changes no key', () => {
    assert.deepEqual(chargedWrites(TABLES, { ...IMAGE, keyId: SESSION }, CHARGED), [REMOVED]);
  });

  /** The updates of the account and the key. */
  const changes = (reservation: Reservation, amount: string | null) =>
    chargedWrites(TABLES, reservation, { amount, time: AT })
      .slice(1)
      .map(({ Update }) => [
        Update?.Key?.account?.S,
        Update?.UpdateExpression,
        Update?.ExpressionAttributeValues,
      ]);
  const [time, less] = [{ ':time': { N: String(AT) } }, { ':less': { N: '-1' } }];

  test('of a shorter video returns the rest of its money to the account and the key', () => {
    assert.deepEqual(changes(RESERVATION, '1.60'), [
      ['acme', 'ADD #videos :less, #committed :change', { ...less, ':change': { N: '-1.60' } }],
      [
        'acme#key_1',
        `SET #lastCharge = :time ADD #committed :amount ${REMOVAL}`,
        { ...time, ':amount': { N: '-1.60' } },
      ],
    ]);
  });

  test('of a shorter video adds its charge to a key without a budget', () => {
    assert.deepEqual(changes({ ...RESERVATION, countsForKey: false }, '1.60'), [
      ['acme', 'ADD #videos :less, #committed :change', { ...less, ':change': { N: '-1.60' } }],
      [
        'acme#key_1',
        `SET #lastCharge = :time ADD #committed :amount ${REMOVAL}`,
        { ...time, ':amount': { N: '1.60' } },
      ],
    ]);
  });

  test('of an image changes the account only if its charge differs', () => {
    assert.deepEqual(changes({ ...IMAGE, keyId: SESSION }, '3.00'), [
      ['acme', 'ADD #committed :change', { ':change': { N: '-0.20' } }],
    ]);
  });

  test('without a price changes no money', () => {
    assert.deepEqual(changes({ ...RESERVATION, amount: null, keyId: SESSION }, null), [
      ['acme', 'ADD #videos :less', less],
    ]);
  });
});

describe('money without a reservation', () => {
  const SPENT = {
    Update: {
      TableName: 'accounts',
      Key: { account: { S: 'acme' } },
      UpdateExpression: `ADD #committed :amount ${REMOVAL}`,
      ExpressionAttributeNames: { '#committed': 'committed#2025-11', ...OUTDATED },
      ExpressionAttributeValues: { ':amount': { N: '3.20' } },
    },
  };

  test('is added to the account and to the key', () => {
    assert.deepEqual(spendingWrites(TABLES, RESERVATION, AT), [SPENT, used('3.20')]);
    assert.deepEqual(spendingWrites(TABLES, { ...RESERVATION, keyId: SESSION }, AT), [SPENT]);
  });

  test('of nothing still tells that the key was used', () => {
    assert.deepEqual(spendingWrites(TABLES, { ...RESERVATION, amount: null }, AT), [used()]);
  });
});

describe('the item of a reservation', () => {
  test('can be read, and has the keys of the due index', () => {
    for (const reservation of [RESERVATION, { ...IMAGE, amount: null }])
      assert.deepEqual(readReservation(toItem(reservation)), reservation);
    const { due_shard, due_at } = toItem(RESERVATION);
    assert.deepEqual([due_shard, due_at], [{ S: 'due-2' }, { N: String(AT + 120_000) }]);
    assert.deepEqual(toItem(IMAGE).due_at, { N: String(AT + 360_000) });
  });

  for (const name of Object.keys(RESERVATION))
    test(`is corrupt without ${name}`, () => {
      const { [name]: _, ...rest } = toItem(RESERVATION);
      assert.throws(() => readReservation(rest), new RegExp(`corrupt: ${name}$`));
    });
});
