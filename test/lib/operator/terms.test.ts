import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readKeyTerms } from '../../../lib/operator/terms.ts';

const expiryIn = (expiresIn: string) =>
  readKeyTerms({ admin: false, expiresIn, monthlyBudget: undefined, requestsPerSecond: undefined }, 0)
    .expiresAt;

describe('a key expires', () => {
  const TEN_YEARS = 10 * 366 * 86_400_000;

  for (const [duration, milliseconds] of [
    ['90s', 90_000],
    ['30d', 30 * 86_400_000],
    ['3660d', TEN_YEARS],
    ['316224000s', TEN_YEARS],
  ] as const)
    test(`after ${duration}`, () => assert.equal(expiryIn(duration), milliseconds));

  for (const duration of ['3661d', '316224001s', '999999d', `${'9'.repeat(400)}h`])
    test(`within ten years, not after ${duration.slice(0, 12)}`, () =>
      assert.throws(() => expiryIn(duration), {
        message: '--expires-in must be at most ten years, which is 3660d.',
      }));
});
