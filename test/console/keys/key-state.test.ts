import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyState } from '../../../console/keys/key-state.ts';

const KEY = { expires_at: null, revoked_at: null };

for (const [title, key, now, state, secondsLeft] of [
  ['is active', {}, 0, 'active'],
  ['is active until it expires', { expires_at: 100 }, 99_999, 'active'],
  ['is expired from that moment on', { expires_at: 100 }, 100_000, 'expired'],
  ['counts down a minute after it is revoked', { revoked_at: 100 }, 100_000, 'revoking', 60],
  ['counts down the seconds', { revoked_at: 100 }, 159_500, 'revoking', 1],
  ['is revoked after the minute', { revoked_at: 100 }, 160_000, 'revoked'],
  ['never counts more than a minute', { revoked_at: 200 }, 100_000, 'revoking', 60],
] as const)
  test(`a key ${title}`, () =>
    assert.deepEqual(
      keyState({ ...KEY, ...key }, now),
      secondsLeft === undefined ? { state } : { state, secondsLeft },
    ));
