import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredAccount } from '../../../../functions/billing/domain/ports.ts';
import { accountLimits, effectiveLimits } from '../../../../functions/billing/domain/reserve.ts';
import { NO_LIMITS } from '../../../support/builders/limiter.ts';

const CALLER = { account: 'acme', keyId: 'key' };
const DEFAULTS = { monthlyBudget: '100', videosAtOnce: 10, createsPerMinute: 60 };
const stored = (change: Partial<StoredAccount> = {}): StoredAccount => ({
  limits: NO_LIMITS,
  committed: '0',
  marks: {},
  creates: 0,
  outdated: [],
  ...change,
});

describe('the effective limits of an account', () => {
  const own = (
    monthlyBudget: string | null,
    videosAtOnce: number | null,
    createsPerMinute: number | null | undefined,
  ) => stored({ limits: { monthlyBudget, videosAtOnce, createsPerMinute } });
  for (const [name, found, limits] of [
    ['are the defaults for an unknown account', undefined, DEFAULTS],
    ['are the defaults if it has no own limits', stored(), DEFAULTS],
    [
      'are its own limits if it has some',
      own('5', 1, 2),
      { monthlyBudget: '5', videosAtOnce: 1, createsPerMinute: 2 },
    ],
    ['are none if the account is exempt', own(null, null, null), NO_LIMITS],
    [
      'are decided one by one',
      own(null, 0, undefined),
      { ...DEFAULTS, monthlyBudget: undefined, videosAtOnce: 0 },
    ],
  ] as const)
    test(name, () => assert.deepEqual(effectiveLimits(found, DEFAULTS), limits));
});

/** Limits of an account that a test can change, and the number of reads. */
const world = (found: StoredAccount | undefined, defaults = NO_LIMITS) => {
  const state = { now: 1_000_000, found, reads: 0 };
  const find = async () => {
    state.reads += 1;
    return state.found;
  };
  return { state, limits: accountLimits({ find }, defaults, () => state.now) };
};

describe('the limits of a caller', () => {
  const limited = stored({ limits: { ...NO_LIMITS, videosAtOnce: 3 }, outdated: ['committed#2026-01'] });

  test('include the names of outdated counters', async () => {
    assert.deepEqual(await world(limited).limits.find(CALLER), {
      limits: { ...NO_LIMITS, videosAtOnce: 3 },
      read: { ...NO_LIMITS, videosAtOnce: 3 },
      outdated: ['committed#2026-01'],
    });
  });

  test('are undefined if neither the account nor the key has a limit', async () => {
    const { limits } = world(undefined);
    assert.equal(await limits.find(CALLER), undefined);
    assert.deepEqual(await limits.find({ ...CALLER, monthlyBudget: '5' }), {
      limits: NO_LIMITS,
      read: {},
      outdated: [],
    });
  });

  test('are read once a minute', async () => {
    const { state, limits } = world(limited);
    await limits.find(CALLER);
    state.found = stored({ limits: { ...NO_LIMITS, videosAtOnce: 9 } });
    state.now += 59_999;
    assert.equal((await limits.find(CALLER))?.limits.videosAtOnce, 3);
    state.now += 1;
    assert.equal((await limits.find(CALLER))?.limits.videosAtOnce, 9);
    assert.equal(state.reads, 2);
    state.found = stored({ limits: { ...NO_LIMITS, videosAtOnce: 4 } });
    assert.equal((await limits.findAgain(CALLER))?.limits.videosAtOnce, 4, 'or when they have changed');
    assert.equal((await limits.find(CALLER))?.limits.videosAtOnce, 4);
    state.found = undefined;
    assert.equal(await limits.findAgain(CALLER), undefined);
  });

  test('are kept for a thousand accounts', async () => {
    const { state, limits } = world(limited);
    for (let account = 0; account < 1000; account += 1)
      await limits.find({ account: String(account), keyId: 'key' });
    await limits.find({ account: '0', keyId: 'key' });
    assert.equal(state.reads, 1000);
    await limits.find({ account: 'one more', keyId: 'key' });
    await limits.find({ account: '0', keyId: 'key' });
    assert.equal(state.reads, 1002);
  });
});

describe('the creates of an account in a minute', () => {
  test('are the stored creates and those counted since', async () => {
    const { state, limits } = world(stored({ limits: { ...NO_LIMITS, createsPerMinute: 60 }, creates: 4 }));
    await limits.find(CALLER);
    assert.deepEqual([limits.countCreate('acme', state.now), limits.countCreate('acme', state.now)], [5, 6]);
  });

  test('start at 0 in each minute, and for each account', async () => {
    const { state, limits } = world(stored({ creates: 4 }));
    await limits.find(CALLER);
    assert.equal(limits.countCreate('acme', state.now + 60_000), 1);
    assert.equal(limits.countCreate('other', state.now), 1);
  });
});
