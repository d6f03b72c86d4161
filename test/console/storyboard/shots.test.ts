import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  findProblem,
  readStoryboard,
  type Shot,
  type ShotState,
  startable,
  toForm,
} from '../../../console/storyboard/shots.ts';

const shot = (id: string, start: Shot['start'], change: Partial<Shot> = {}): Shot => ({
  id,
  prompt: 'A kite',
  seconds: 4,
  start,
  ...change,
});

describe('a shot starts', () => {
  const shots = [shot('a', 'text'), shot('b', 'continue'), shot('c', 'image'), shot('d', 'continue')];
  for (const [title, states, expected] of [
    ['at once, unless it continues another one', ['draft', 'draft', 'draft', 'draft'], [0, 2]],
    ['when the previous one is completed', ['completed', 'draft', 'running', 'draft'], [1]],
    ['not before the previous one is completed', ['running', 'draft', 'completed', 'running'], []],
    ['not after a failure', ['completed', 'draft', 'failed', 'draft'], []],
  ] as const)
    test(title, () => assert.deepEqual(startable(shots, [...states] satisfies ShotState[]), expected));

  test('where the one before a skipped shot ends', () => {
    const skipped = [shot('a', 'text'), shot('b', 'text', { isSkipped: true }), shot('c', 'continue')];
    assert.deepEqual(startable(skipped, ['completed', 'skipped', 'draft']), [2]);
  });

  test('from its prompt if nothing is left to continue', () => {
    const board = readStoryboard({ shots: [shot('a', 'text', { isSkipped: true }), shot('b', 'continue')] });
    assert.deepEqual(startable(board.shots, ['skipped', 'draft']), [1]);
    assert.equal(toForm(board, 1, false).mode, 'text');
  });
});

test('the form of a shot has the settings of the storyboard, and a possible length', () => {
  const board = readStoryboard({
    resolution: '1080p',
    aspectRatio: '9:16',
    shots: [shot('a', 'text'), shot('b', 'continue')],
  });
  const { mode, seconds, resolution, aspectRatio, prompt } = toForm(board, 1, false);
  assert.deepEqual(
    [mode, seconds, resolution, aspectRatio, prompt],
    ['first_frame', 8, '1080p', '9:16', 'A kite'],
  );
  assert.equal(toForm(board, 1, true).mode, 'first_and_last_frame');
});

test('the first shot that cannot be sent is named', () => {
  const files = { b: { first: [new File([], 'b.jpg')], last: [] } };
  assert.equal(findProblem([shot('a', 'text'), shot('b', 'image')], files), undefined);
  assert.deepEqual(findProblem([shot('a', 'text'), shot('b', 'image')], {}), { index: 1, kind: 'image' });
  assert.deepEqual(findProblem([shot('a', 'text', { prompt: ' ' })], {}), { index: 0, kind: 'prompt' });
  assert.equal(findProblem([shot('a', 'text', { prompt: '', taskId: 'task' })], {}), undefined);
});

test('a stored storyboard is read without what it does not know', () => {
  const { shots, tab } = readStoryboard({
    tab: 'tab',
    shots: [{ id: 'a', start: 'later', key: 7 }, null, { prompt: 'x' }],
  });
  assert.deepEqual(shots, [{ id: 'a', prompt: '', seconds: 8, start: 'text' }]);
  assert.equal(tab, 'tab');
  assert.deepEqual(
    readStoryboard({}).shots.map(({ start }) => start),
    ['text', 'continue'],
  );
});
