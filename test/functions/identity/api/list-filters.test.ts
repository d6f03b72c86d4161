import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKeyId, readPersonId } from '../../../../functions/identity/api/list-filters.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

test('items are filtered by the ids of keys, sessions and people', () => {
  const [key, session, person] = [
    `key_${'0a'.repeat(8)}`,
    `sess_${'0a'.repeat(16)}`,
    `user_${'0a'.repeat(16)}`,
  ];
  const keyId = (text: string) => readKeyId(toQuery(text).query);
  const personId = (text: string) => readPersonId(toQuery(text).query);
  assert.deepEqual(['', `api_key_id=${key}`, `api_key_id=${session}`].map(keyId), [undefined, key, session]);
  assert.deepEqual(['', `user_id=${person}`].map(personId), [undefined, person]);
  for (const value of ['', 'x', `${key}0`, `x${key}`, `${session}0`, session.slice(0, -1), person])
    refusesField(() => keyId(`api_key_id=${value}`), 'api_key_id');
  for (const value of ['', 'x', `${person}0`, `x${person}`, key])
    refusesField(() => personId(`user_id=${value}`), 'user_id');
});
