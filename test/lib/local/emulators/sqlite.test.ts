import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction, openDatabase } from '../../../../lib/local/emulators/sqlite.ts';
import { storageFailure } from '../../../../lib/local/errors.ts';

test('reports a full disk, not a failed rollback', () => {
  const database = openDatabase(
    ':memory:',
    'CREATE TABLE texts (text TEXT) STRICT; PRAGMA max_page_count = 4;',
  );
  const insert = database.prepare('INSERT INTO texts VALUES (?)');
  const fill = () => inTransaction(database, () => insert.run('x'.repeat(100_000)));
  assert.throws(fill, (error) => storageFailure(error)?.words === 'The disk is full');
  database.close();
});
