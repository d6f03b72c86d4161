import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  errorHeaders,
  hasGoogleKey,
  nativeDialect,
  openAiDialect,
} from '../../../../functions/platform/api/dialects.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';

describe('the API key', () => {
  const read = (
    headers: Readonly<Record<string, string>>,
    { readApiKey }: Pick<typeof nativeDialect, 'readApiKey'> = openAiDialect,
  ) => readApiKey({ header: (name) => headers[name], query: (name) => (name === 'key' ? 'd' : undefined) });

  test('is one word after any spelling of Bearer', () => {
    const texts = ['bearer  key ', 'key', 'Bearer', 'a Bearer c', 'Bearer c d', 'Bearerc'];
    const keys = texts.map((authorization) => read({ authorization }));
    assert.deepEqual([read({}), ...keys], [undefined, 'key', ...Array(5).fill(undefined)]);
  });

  test('is the first in one of four places in the native API', () => {
    const headers = { 'x-vendor-api-key': 'a', 'x-goog-api-key': 'b', authorization: 'Bearer c' };
    const left = [0, 1, 2, 3].map((count) => Object.fromEntries(Object.entries(headers).slice(count)));
    const keys = left.map((each) => read(each, nativeDialect));
    assert.deepEqual(keys, ['a', 'b', 'c', 'd']);
  });
});

test("a key is Google's in a header of Google, or in the query without a Bearer token", () => {
  const isGoogle = (headers: Readonly<Record<string, string>>, query?: string) =>
    hasGoogleKey({ header: (name) => headers[name], query: () => query });
  const authorization = 'Bearer c';
  assert.deepEqual(
    [
      isGoogle({}),
      isGoogle({ authorization }),
      isGoogle({ authorization }, 'd'),
      isGoogle({ authorization, 'x-goog-api-key': 'b' }),
      isGoogle({ 'x-vendor-api-key': 'a' }),
      isGoogle({}, 'd'),
    ],
    [false, false, false, true, true, true],
  );
});

describe('Retry-After', () => {
  for (const [code, seconds, header] of [
    ['rate_limited', undefined, '5'],
    ['rate_limited', 0.2, '1'],
    ['rate_limited', 1, '1'],
    ['rate_limited', 1.001, '2'],
    ['upstream_unavailable', undefined, '5'],
    ['upstream_unavailable', 3600, '3600'],
    ['insufficient_quota', 86_400.5, '86401'],
    ['insufficient_quota', undefined, undefined],
    ['video_not_ready', 7, undefined],
    ['internal', 7, undefined],
  ] as const)
    test(`is ${header} for ${code} with ${seconds} seconds`, () => {
      const error = new DomainError(code, 'no', { retryAfterSeconds: seconds });
      assert.equal(errorHeaders(error)['retry-after'], header);
    });
});

test('only permanent errors carry x-should-retry: false', () => {
  const codes = ['rate_limited', 'insufficient_quota', 'video_failed', 'not_found'] as const;
  const retries = codes.map((code) => errorHeaders(new DomainError(code, 'no'))['x-should-retry']);
  assert.deepEqual(retries, [undefined, 'false', 'false', undefined]);
});

test('an error carries the status of its upload, and the rate limit that caused it', () => {
  const rateLimit = { limit: 5, remaining: 0, resetSeconds: 30 };
  const error = new DomainError('not_found', 'no', { uploadStatus: 'cancelled', rateLimit });
  assert.equal(errorHeaders(error)['x-goog-upload-status'], 'cancelled');
  assert.deepEqual(Object.values(errorHeaders(error)), ['5', '0', '30s', 'cancelled']);
});
