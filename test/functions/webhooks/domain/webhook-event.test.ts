import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { eventOf } from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import { aTask } from '../../../support/builders/task.ts';

const ID = /^evt_[0-9a-f]{32}$/;
const COMPLETED = aTask({ status: 'completed', completedAt: 7000 });

describe('the event of a task', () => {
  for (const [name, change, type, createdAt] of [
    ['that is completed', { status: 'completed', completedAt: 7000 }, 'video.completed', 7000],
    ['that failed', { status: 'failed', failedAt: 8000 }, 'video.failed', 8000],
    ['that failed in an earlier version', { status: 'failed' }, 'video.failed', 1000],
  ] as const satisfies readonly (readonly [string, Partial<Task>, string, number])[])
    test(`${name} says what happened, and when`, () => {
      const task = aTask(change);
      const { id, ...rest } = eventOf(task);
      assert.match(id, ID);
      assert.deepEqual(rest, { type, createdAt, account: task.account, taskId: task.id });
    });

  test('has the same identifier whenever it is told', () => {
    assert.equal(eventOf({ ...COMPLETED, completedAt: 9000 }).id, eventOf(COMPLETED).id);
  });

  for (const [name, other] of [
    ['another task', { ...COMPLETED, id: 'task_01k0000000bbbbbbbbbbbbbbbb' }],
    ['a later task of the same id', { ...COMPLETED, createdAt: 2000 }],
  ] as const)
    test(`has another identifier than that of ${name}`, () => {
      assert.notEqual(eventOf(other).id, eventOf(COMPLETED).id);
    });
});
