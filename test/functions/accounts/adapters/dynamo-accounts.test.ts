import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  committedName,
  createsName,
  earlierMonths,
  keyOfApiKey,
  outdatedNames,
  readCommitted,
  readCreates,
  readLimits,
  readUse,
  readVideos,
} from '../../../../functions/accounts/adapters/dynamo-accounts.ts';

describe('the item of an account', () => {
  const AT = Date.UTC(2026, 2, 1, 0, 1, 30);
  const MINUTE = AT / 60_000 - 0.5;

  test('has a counter per month and per minute; each key with a budget has its own item', () => {
    assert.deepEqual([committedName('2026-03'), createsName(AT)], ['committed#2026-03', `creates#${MINUTE}`]);
    assert.deepEqual(keyOfApiKey({ account: 'acme', keyId: 'key_1' }), { account: { S: 'acme#key_1' } });
  });

  test('holds limits: none, its own, or null to override a default', () => {
    assert.deepEqual(readLimits({}), {
      monthlyBudget: undefined,
      videosAtOnce: undefined,
      createsPerMinute: undefined,
    });
    assert.deepEqual(
      readLimits({ monthlyBudget: { S: '5' }, videosAtOnce: { N: '0' }, createsPerMinute: { NULL: true } }),
      {
        monthlyBudget: '5',
        videosAtOnce: 0,
        createsPerMinute: null,
      },
    );
  });

  test('holds the usage, which is 0 without counters', () => {
    const item = {
      'committed#2026-03': { N: '3.20' },
      [`creates#${MINUTE}`]: { N: '4' },
      videos: { N: '2' },
    };
    const reservation = {
      id: 'r',
      kind: 'videos',
      account: 'acme',
      keyId: 'key_1',
      countsForKey: true,
      month: '2026-03',
      amount: '1',
      taskId: 'task_1',
      at: AT,
    } as const;
    assert.deepEqual(readUse(item, { 'committed#2026-03': { N: '1.5' } }, reservation), {
      committed: '3.20',
      committedByKey: '1.5',
      videos: 2,
      creates: 4,
    });
    assert.deepEqual([readCommitted({}, '2026-03'), readCreates({}, AT), readVideos({})], ['0', 0, 0]);
  });

  test('has counters that are outdated after two minutes or two months', () => {
    const names = [
      'account',
      'videos',
      `creates#${MINUTE}`,
      `creates#${MINUTE - 1}`,
      `creates#${MINUTE - 2}`,
      'committed#2026-03',
      'committed#2026-02',
      'committed#2026-01',
      'committed#2025-12',
      'monthlyBudget',
    ];
    const item = Object.fromEntries(names.map((name) => [name, { N: '1' }]));
    assert.deepEqual(outdatedNames(item, AT), [
      `creates#${MINUTE - 2}`,
      'committed#2026-01',
      'committed#2025-12',
    ]);
  });

  test('has at most 50 outdated counters removed at a time', () => {
    const item = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [`creates#${minute}`, { N: '1' }]),
    );
    assert.equal(outdatedNames(item, AT).length, 50);
  });

  test('has the counters of the twelve months before the last removed without a read', () => {
    const months = earlierMonths('2026-03');
    assert.deepEqual(
      [months[0], months.at(-1), months.length],
      ['committed#2026-01', 'committed#2025-02', 12],
    );
  });
});
