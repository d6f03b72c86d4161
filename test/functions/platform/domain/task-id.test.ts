import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  derivedTaskId,
  isTaskId,
  newTaskId,
  timeOfTaskId,
} from '../../../../functions/platform/domain/task-id.ts';

test('account and idempotency key give one id for ever, and no other pair gives it', () => {
  assert.equal(derivedTaskId('ab', 'c'), 'task_k2r51fr7nedxdp8spnn7pm9agh');
  assert.equal(derivedTaskId('a', 'bc'), 'task_k26kmb0ajwkbn7xy1jjzjzp3mm');
});

test('an id carries its time, unless a key gave it', () => {
  assert.match(newTaskId(Date.UTC(2026, 0, 1)), /^task_01kdvdna00[0-9a-hjkmnp-tv-z]{16}$/);
  assert.equal(timeOfTaskId('task_01kdvdna00rrz2kw7shgeq7be4'), Date.UTC(2026, 0, 1));
  assert.equal(timeOfTaskId(derivedTaskId('ab', 'c')), undefined);
});

test('what is not an id is told from one', () => {
  const ids = [
    newTaskId(0),
    derivedTaskId('ab', 'c'),
    'task_1',
    `${newTaskId(0)}0`,
    newTaskId(0).toUpperCase(),
  ];
  assert.deepEqual(ids.map(isTaskId), [true, true, false, false, false]);
});
