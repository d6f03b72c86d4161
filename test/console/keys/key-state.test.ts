import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyState } from '../../../console/keys/key-state.ts';

const KEY = { expires_at: null, revoked_at: null };

for (const [title, key, now, expected] of [
  ['is active', {}, 0, { state: 'active' }],
  ['is active until it expires', { expires_at: 100 }, 99_999, { state: 'active' }],
  ['is expired from that moment on', { expires_at: 100 }, 100_000, { state: 'expired' }],
  [
    'counts down a minute after it is revoked',
    { revoked_at: 100 },
    100_000,
    { state: 'revoking', secondsLeft: 60 },
  ],
  ['counts down the seconds', { revoked_at: 100 }, 159_500, { state: 'revoking', secondsLeft: 1 }],
  ['is revoked after the minute', { revoked_at: 100 }, 160_000, { state: 'revoked' }],
  ['never counts more than a minute', { revoked_at: 200 }, 100_000, { state: 'revoking', secondsLeft: 60 }],
] as const)
  test(`a key ${title}`, () => assert.deepEqual(keyState({ ...KEY, ...key }, now), expected));
