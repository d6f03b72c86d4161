import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inGroups, inParallel } from '../../../../functions/platform/domain/requeue-overdue.ts';

const numbers = async function* (count: number, error?: Error) {
  for (let number = 1; number <= count; number += 1) yield number;
  if (error !== undefined) throw error;
};

const groupsUntilError = async (count: number, size: number, error?: Error) => {
  const groups: (readonly number[])[] = [];
  let thrown: unknown;
  try {
    for await (const group of inGroups(numbers(count, error), size)) groups.push(group);
  } catch (caught) {
    thrown = caught;
  }
  return { groups, thrown };
};

describe('inGroups', () => {
  const CASES = [
    { count: 0, groups: [] },
    { count: 2, groups: [[1, 2]] },
    { count: 3, groups: [[1, 2, 3]] },
    {
      count: 7,
      groups: [[1, 2, 3], [4, 5, 6], [7]],
    },
  ];
  for (const { count, groups } of CASES) {
    test(`puts ${count} items into groups of three`, async () => {
      assert.deepEqual(await groupsUntilError(count, 3), { groups, thrown: undefined });
    });

    test(`returns ${count} items in groups before it throws the error of the source`, async () => {
      const error = new Error('source failed');
      assert.deepEqual(await groupsUntilError(count, 3, error), { groups, thrown: error });
    });
  }
});

test('inParallel finishes the items that it has before it throws the error of the source', async () => {
  const done: number[] = [];
  const work = async (number: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push(number);
  };
  await assert.rejects(inParallel(numbers(3, new Error('source failed')), 8, work), /source failed/);
  assert.deepEqual(done, [1, 2, 3]);
});
