import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPersonNames } from '../../../console/usage/charge-file.ts';

test('a file of charges gets the names of people, and keeps its other fields', () => {
  const csv = 'time,user_id,name\r\n1,user_1,"a, ""b"""\r\n2,,c\r\n3,user_2,\r\n';
  const name = (id: string): string => (id === 'user_1' ? 'Ada, the first' : 'Bob');
  assert.equal(
    withPersonNames(csv, name),
    'time,user_id,user_name,name\r\n1,user_1,"Ada, the first","a, ""b"""\r\n2,,,c\r\n3,user_2,Bob,\r\n',
  );
});
