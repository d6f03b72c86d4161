import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  contentSeconds,
  isShareId,
  newShare,
  opens,
  readToken,
  shareCheck,
} from '../../../../functions/shares/domain/share.ts';

const NOW = 1_800_000_000_000;
const TERMS = {
  account: 'acme',
  keyId: 'key_1',
  item: { kind: 'video', id: 'task_1', createdAt: 1 },
  showsPrompt: false,
  createdAt: NOW,
  expiresAt: NOW + 1000,
} as const;

describe('a token', () => {
  test('leads to its share, which does not contain it', () => {
    const { share, token } = newShare(TERMS);
    assert.match(token, /^01mcc5rm00[0-9a-hjkmnp-tv-z]{32}$/);
    assert.deepEqual(readToken(token), { id: share.id, tokenHash: share.tokenHash });
    assert.deepEqual([isShareId(share.id), share.tokenHash.length], [true, 64]);
    assert.equal(JSON.stringify(share).includes(token.slice(10)), false);
    assert.deepEqual({ ...share, ...TERMS }, share);
  });

  test('is read only if it is well-formed', () => {
    const { token } = newShare(TERMS);
    for (const wrong of ['', token.slice(1), `${token}0`, token.toUpperCase(), `${token.slice(0, -1)}u`])
      assert.equal(readToken(wrong), undefined, wrong);
  });

  test('opens its own share until that expires', () => {
    const { share, token } = newShare(TERMS);
    const claim = readToken(token) ?? assert.fail();
    assert.deepEqual([opens(share, claim, NOW + 999), opens(share, claim, NOW + 1000)], [true, false]);
    assert.equal(opens(share, newShare(TERMS).share, NOW), false);
  });
});

test('the creator of several links is looked up once', async () => {
  const asked: unknown[] = [];
  const find = async (...given: unknown[]): Promise<undefined> => {
    asked.push(given);
  };
  const counts = shareCheck({ find });
  const { share } = newShare({ ...TERMS, personId: 'user_1' });
  assert.deepEqual([await counts(share), await counts(share)], [false, false]);
  assert.deepEqual(asked, [['acme', 'user_1']]);
});

test('content can be read for five minutes, but not after the link expires', () => {
  const seconds = [1, 999, 60_900, 300_000, 9_000_000].map((left) => contentSeconds(NOW + left, NOW));
  assert.deepEqual(seconds, [1, 1, 60, 300, 300]);
});
