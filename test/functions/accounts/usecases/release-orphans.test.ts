import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Limits } from '../../../../functions/accounts/domain/limits.ts';
import { releaseOrphans, reserve } from '../../../../functions/accounts/domain/reserve.ts';
import type { Caller } from '../../../../functions/platform/domain/api-key.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { aTask } from '../../../support/builders/task.ts';
import { accountsPort, MemoryAccounts } from '../../../support/in-memory/accounts.ts';

const CALLER = { account: 'account', keyId: 'key' };
const NO_CHARGE = { seconds: 4, unitPrice: null, amount: null, currency: null };
const LAST_MINUTE = Date.UTC(2026, 11, 31, 23, 59, 48);

const world = (limits: Partial<Limits>, start = LAST_MINUTE) => {
  const accounts = new MemoryAccounts();
  const state = { now: start };
  const limiter = buildLimiter(limits, accountsPort(accounts), () => state.now);
  const ask = (
    amount: string | null = '1.50',
    taskId = 'task',
    kind: 'videos' | 'images' = 'videos',
    caller: Caller = CALLER,
  ) => reserve(limiter, caller, { kind, taskId, what: 'a model', amount });
  return { accounts, state, ask, limiter };
};

describe('the sweeper', () => {
  test('checks a reservation of a task when it is due and an hour later', async () => {
    const { ask, state, accounts } = world({ monthlyBudget: '5' });
    const made = await ask();
    const asked: number[] = [];
    const find = async () => {
      asked.push(state.now);
      return { ...aTask(), reservation: made && { ...made.reservation, charge: NO_CHARGE } };
    };
    const start = state.now;
    for (let minute = 1; minute < 65; minute += 1) {
      state.now = start + minute * 60_000;
      await releaseOrphans({
        accounts: accountsPort(accounts),
        tasks: { find },
        logger: { info: () => {}, error: assert.fail },
        now: () => state.now,
        stopAt: Number.POSITIVE_INFINITY,
      });
    }
    assert.deepEqual(
      asked.map((time) => (time - start) / 60_000),
      [2, 62],
    );
    assert.equal(accounts.reservations().length, 1);
  });
});

describe('a reservation without a task', () => {
  const AGES: readonly (readonly [kind: 'videos' | 'images', age: number, released: boolean])[] = [
    ['videos', 119_999, false],
    ['videos', 120_000, true],
    ['images', 359_999, false],
    ['images', 360_000, true],
  ];
  for (const [kind, age, released] of AGES)
    test(`of ${kind} is ${released ? 'released' : 'kept'} at an age of ${age} ms`, async () => {
      const { ask, state, accounts } = world({ monthlyBudget: '5' });
      await ask('1.50', 'task', kind);
      state.now += age;
      await releaseOrphans({
        accounts: accountsPort(accounts),
        tasks: { find: async () => undefined },
        logger: { info: () => {}, error: () => {} },
        now: () => state.now,
        stopAt: Number.POSITIVE_INFINITY,
      });
      assert.equal(accounts.reservations().length, released ? 0 : 1);
    });
});
