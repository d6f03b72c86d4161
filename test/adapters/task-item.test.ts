import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromItem, toItem } from '../../functions/adapters/task-item.ts';
import { aTask } from '../domain/task-builder.ts';

const DAY = 24 * 60 * 60;

describe('the item of a task', () => {
  test('is read back as the task', () => {
    const task = aTask({ work: undefined, error: { code: 'internal', message: 'broken' } });
    assert.deepEqual(fromItem(JSON.parse(JSON.stringify(toItem(task)))).error, task.error);
    assert.deepEqual(fromItem(toItem(task)), task);
  });

  test('outlives its file, however long that is kept', () => {
    const tenYears = 3650 * DAY * 1000;
    assert.equal(toItem(aTask({ createdAt: 0, expiresAt: tenYears })).expires, (3650 + 90) * DAY);
    assert.equal(toItem(aTask({ createdAt: 0 })).expires, 90 * DAY);
  });

  test('is in the index of due work only while there is work', () => {
    assert.equal('due_at' in toItem(aTask()), true);
    assert.equal('due_at' in toItem(aTask({ work: undefined })), false);
  });

  test('is refused when it is corrupt, and not taken for a missing one', () => {
    assert.throws(() => fromItem({ task: { ...aTask(), status: 'lost' } }));
    assert.throws(() => fromItem({}));
  });
});
