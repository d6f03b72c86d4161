import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readKeyTerms, readLimitChanges, readName } from '../../../lib/operator/terms.ts';

const expiryIn = (duration: string) => readKeyTerms({ admin: false, 'expires-in': duration }, 0).expiresAt;

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

describe('one sentence rejects', () => {
  const rejects = (reason: RegExp, read: () => unknown) =>
    assert.throws(read, ({ message }: Error) => reason.test(message) && !message.includes('\n'));

  for (const expiresIn of ['30', '0d', '1w', '-1d', '1.5h', ''])
    test(`the lifetime '${expiresIn}'`, () => rejects(/^--expires-in must/, () => expiryIn(expiresIn)));

  for (const budget of ['-1', '1e3', '1,5', '1.1234567', '1'.repeat(13), 'NaN', ''])
    test(`the budget '${budget}'`, () =>
      rejects(/^--monthly-budget must/, () => readKeyTerms({ admin: false, 'monthly-budget': budget }, 0)));

  for (const name of ['', ' ', 'a\nb', '\u001b[31mred', 'x'.repeat(101)])
    test(`the name ${JSON.stringify(name).slice(0, 20)}`, () =>
      rejects(/^--name must have 1 to 100 characters, none of them a control/, () => readName(name)));

  for (const [option, value, reason] of [
    ['monthly-budget', '1e3', /^--monthly-budget must be .*, none, or default\.$/],
    ['videos-at-once', '100001', /^--videos-at-once must be .* 1 to 100000, none, or default\.$/],
    ['creates-per-minute', '0', /^--creates-per-minute must be/],
  ] as const)
    test(`the limit --${option} ${value}`, () =>
      rejects(reason, () => readLimitChanges({ [option]: value })));
});
