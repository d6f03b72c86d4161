import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listObject, readLimit } from '../../../../functions/platform/api/pages.ts';
import {
  readIdempotencyKey,
  readTime,
  toSecondsOrNull,
} from '../../../../functions/platform/api/parameters.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

describe('limit', () => {
  const limit = (text: string, ...bounds: number[]) => readLimit(toQuery(text).query, ...bounds);

  test('is 20 by default, and from 1 to 100', () => {
    const limits = ['', 'limit=1', 'limit=99', 'limit=100'].map((text) => limit(text));
    assert.deepEqual(limits, [20, 1, 99, 100]);
    for (const value of ['', '0', '101', '1000', '-1', '1.5', '07', 'x1', '1x'])
      refusesField(() => limit(`limit=${value}`), 'limit', /^limit must be a whole number from 1 to 100\.$/);
  });

  test('has other bounds for other lists', () => {
    const limits = ['', 'limit=180'].map((text) => limit(text, 180, 7));
    assert.deepEqual(limits, [7, 180]);
    refusesField(() => limit('limit=181', 180, 7), 'limit', /from 1 to 180/);
  });
});

test('a time has whole seconds, up to 11 digits', () => {
  const time = (text: string) => readTime(toQuery(text).query, 'at');
  const times = ['', 'at=0', 'at=17', 'at=99999999999'].map(time);
  assert.deepEqual(times, [undefined, 0, 17_000, 99_999_999_999_000]);
  for (const value of ['', '00', '01', '-1', '1.5', '1e3', ' 1', '1x', '100000000000'])
    refusesField(() => time(`at=${value}`), 'at', /^at must be a Unix timestamp in whole seconds/);
});

test('an Idempotency-Key has 1 to 255 printable ASCII characters', () => {
  for (const key of [undefined, ' ', '~', 'a'.repeat(255)]) assert.equal(readIdempotencyKey(key), key);
  for (const key of ['', 'a'.repeat(256), 'é', 'a\u001f', '\u007fa'])
    refusesField(() => readIdempotencyKey(key), 'Idempotency-Key');
});

test('a list names its first and last items', () => {
  const [one, two] = [{ id: 'a' }, { id: 'b' }];
  const list = { object: 'list', data: [one, two], first_id: 'a', last_id: 'b', has_more: true };
  assert.deepEqual(listObject([one, two], true), list);
  const none = { data: [], first_id: null, last_id: null, has_more: false };
  assert.deepEqual(listObject([], false), { ...list, ...none });
});

test('times are shown in whole seconds that have passed', () => {
  assert.deepEqual([undefined, 0, 1999].map(toSecondsOrNull), [null, 0, 1]);
});
