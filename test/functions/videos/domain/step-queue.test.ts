import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountSlot, accountWait, receivedUntil } from '../../../../functions/videos/domain/step-queue.ts';

const NOW = 10_000_000;
const MINUTE = 60_000;
const record = (onTime: boolean, ...late: readonly (readonly [string, number])[]) => ({
  onTime,
  late: new Map(late),
});

describe('the time until which all messages have been received', () => {
  const CASES = [
    ['is unknown without a record', [], undefined],
    ['is unknown when nothing was received', [{ ...record(false), stalledSince: 5 }], undefined],
    ['is a minute ago when all messages are on time', [record(true)], NOW - MINUTE],
    ['is that of the oldest late message', [record(true, ['1', 700], ['2', 500]), record(true)], 500],
    ['is that of a late message alone', [record(false, ['1', 700])], 700],
  ] as const;
  for (const [title, records, until] of CASES)
    test(title, () => assert.equal(receivedUntil(records, NOW), until));
});

describe('the waiting time of an account', () => {
  const CASES = [
    ['is that of its own messages', record(true, ['1', NOW - 5000], ['2', NOW - 9000]), 5000],
    ['is zero if only others are late', record(true, ['2', NOW - 9000]), 0],
    [
      'is the shortest of all if nobody is on time',
      record(false, ['2', NOW - 9000], ['3', NOW - 7000]),
      7000,
    ],
    ['is that of the only other one if nobody is on time', record(false, ['2', NOW - 9000]), 9000],
    ['is the time since which nothing was received', { ...record(false), stalledSince: NOW - 4000 }, 4000],
    ['is zero once messages are received again', { ...record(true), stalledSince: NOW - 4000 }, 0],
    ['is zero if nothing is known', record(false), 0],
  ] as const;
  for (const [title, received, wait] of CASES)
    test(title, () => assert.equal(accountWait(received, '1', NOW), wait));
});

describe('the slot of an account', () => {
  test('is the same within a minute', () => assert.equal(accountSlot('one', 5), accountSlot('one', 5)));

  test('is shared by few of a hundred accounts, and by different ones a minute later', () => {
    const accounts = Array.from({ length: 100 }, (_, number) => `account-${number}`);
    const sharedAt = (minute: number) => {
      const groups = Object.values(Object.groupBy(accounts, (account) => accountSlot(account, minute)));
      return groups.filter((group = []) => group.length > 1).map((group = []) => group.join());
    };
    assert.ok(sharedAt(1).length <= 12, `${sharedAt(1).length} slots are shared`);
    const both = sharedAt(1).filter((group) => sharedAt(2).includes(group));
    assert.deepEqual(both, []);
  });
});
