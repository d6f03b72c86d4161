import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conflictDelay, retryOvertaken } from '../../../../functions/platform/domain/conflicts.ts';

test('colliding writers wait a random time that doubles up to a second', () => {
  const pauses = [1, 2, 3, 6, 20].map((attempts) => conflictDelay(attempts, 1));
  assert.deepEqual(pauses, [50, 100, 200, 1000, 1000]);
  assert.deepEqual([conflictDelay(6, 0), conflictDelay(6, 0.25)], [0, 250]);
});

describe('a change that others overtake', () => {
  const overtaken = (times: number) => {
    let attempts = 0;
    const change = async () => {
      attempts += 1;
      return attempts > times ? 'changed' : undefined;
    };
    return { result: retryOvertaken('collection c', change), attempts: () => attempts };
  };

  test('is made by the twentieth attempt', async (context) => {
    const random = context.mock.method(Math, 'random', () => 0.001);
    const { result } = overtaken(19);
    assert.equal(await result, 'changed');
    assert.equal(random.mock.callCount(), 19, 'each other one waits, so that all have their turn');
  });

  test('is refused after twenty attempts, without a last pause', async (context) => {
    const random = context.mock.method(Math, 'random', () => 0.001);
    const { result, attempts } = overtaken(20);
    await assert.rejects(result, {
      code: 'concurrent_update',
      message: 'Too many requests change collection c at the same time. This change was not made. Try again.',
    });
    assert.deepEqual([attempts(), random.mock.callCount()], [20, 19]);
  });
});
