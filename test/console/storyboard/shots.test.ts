import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FORM_RULES } from '../../../console/playground/video-form.ts';
import { createVideoOffer } from '../../../console/playground/video-offer.ts';
import {
  findProblem,
  readStoryboard,
  type Shot,
  type ShotFiles,
  type ShotState,
  startable,
  toForm,
} from '../../../console/storyboard/shots.ts';
import type { VideoCapabilitiesObject } from '../../../functions/catalogue/api/video-capabilities.ts';
import { FAST_MODEL } from '../../support/http.ts';
import { EVERY_OPTION } from '../../support/video-capabilities.ts';

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

const offerOf = (change: Partial<VideoCapabilitiesObject> = {}) =>
  createVideoOffer({ [FAST_MODEL]: [{ ...EVERY_OPTION, ...change }] }, FORM_RULES);

test('the first shot that cannot be sent is named', () => {
  const frame = [new File([], 'b.jpg')];
  const problem = (shots: readonly Shot[], files: ShotFiles = {}, offer = offerOf()) =>
    findProblem({ ...readStoryboard({}), shots }, files, offer);
  const two = [shot('a', 'text'), shot('b', 'image')];
  assert.equal(problem(two, { b: { first: frame, last: [] } }), undefined);
  assert.deepEqual(problem(two), { index: 1, kind: 'image' });
  assert.deepEqual(problem([shot('a', 'text', { prompt: ' ' })]), { index: 0, kind: 'prompt' });
  assert.equal(problem([shot('a', 'text', { prompt: '', taskId: 'task' })]), undefined);
  assert.deepEqual(problem(two, {}, offerOf({ modes: ['text'] })), { index: 1, kind: 'offer' });
  const last = { b: { first: frame, last: frame } };
  const offer = offerOf({ modes: ['text', 'first_frame'] });
  assert.deepEqual(problem(two, last, offer), { index: 1, kind: 'offer' });
});

test('a new storyboard has only what the deployment offers', () => {
  const cases: readonly [Partial<VideoCapabilitiesObject>, readonly Shot['start'][], number][] = [
    [{}, ['text', 'continue'], 8],
    [{ modes: ['text'] }, ['text', 'text'], 8],
    [{ modes: ['first_frame'] }, ['image', 'continue'], 8],
    [{ seconds: [4] }, ['text', 'continue'], 4],
  ];
  for (const [change, starts, seconds] of cases) {
    const { shots } = readStoryboard({}, offerOf(change));
    const found = shots.map((each) => [each.start, each.seconds]);
    const expected = starts.map((start) => [start, seconds]);
    assert.deepEqual(found, expected);
  }
});

test('a stored storyboard is read without what it does not know', () => {
  const { shots, tab } = readStoryboard({
    tab: 'tab',
    shots: [{ id: 'a', start: 'later', key: 7 }, null, { prompt: 'x' }],
  });
  assert.deepEqual(shots, [{ id: 'a', prompt: '', seconds: 8, start: 'text' }]);
  assert.equal(tab, 'tab');
  const starts = readStoryboard({}).shots.map(({ start }) => start);
  assert.deepEqual(starts, ['text', 'continue']);
});
