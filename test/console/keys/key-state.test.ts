import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyState } from '../../../console/keys/key-state.ts';

const KEY = {
  id: 'key_0123456789abcdef',
  name: 'website',
  redacted_value: 'mgk_…abcd',
  created_at: 0,
  expires_at: null,
  revoked_at: null,
  budget: null,
};

for (const [title, key, now, expected] of [
  ['is active', {}, 0, { state: 'active' }],
  ['is active until it expires', { expires_at: 100 }, 99_999, { state: 'active' }],
  ['is expired from that moment', { expires_at: 100 }, 100_000, { state: 'expired' }],
  [
    'may be accepted for a minute after it is revoked',
    { revoked_at: 100 },
    100_000,
    { state: 'revoking', secondsLeft: 60 },
  ],
  ['counts the seconds down', { revoked_at: 100 }, 159_500, { state: 'revoking', secondsLeft: 1 }],
  ['is revoked after the minute', { revoked_at: 100 }, 160_000, { state: 'revoked' }],
  ['never counts more than the minute', { revoked_at: 200 }, 100_000, { state: 'revoking', secondsLeft: 60 }],
] as const)
  test(`a key ${title}`, () => assert.deepEqual(keyState({ ...KEY, ...key }, now), expected));
