import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  actualSeconds,
  EMPTY_VIDEO_FORM,
  findProblems,
  NO_FILES,
  readVideoForm,
  textFields,
  type VideoForm,
  variationSeeds,
} from '../../../console/playground/video-form.ts';

const toFields = (form: Partial<VideoForm>) =>
  Object.fromEntries(textFields({ ...EMPTY_VIDEO_FORM, ...form }));

describe('the length of a video', () => {
  for (const [form, seconds] of [
    [{ seconds: 4 }, 4],
    [{ seconds: 4, resolution: '1080p' }, 8],
    [{ seconds: 6, resolution: '4k' }, 8],
    [{ seconds: 4, mode: 'references' }, 8],
    [{ seconds: 6, mode: 'first_and_last_frame' }, 6],
    [{ seconds: 6, mode: 'first_frame' }, 6],
  ] as const)
    test(`is ${seconds} for ${JSON.stringify(form)}`, () => {
      assert.equal(actualSeconds({ ...EMPTY_VIDEO_FORM, ...form }), seconds);
      assert.equal(toFields(form).seconds, String(seconds));
    });
});

for (const [form, hasSeeds, expected] of [
  [{}, true, ['']],
  [{ seed: '0' }, true, ['0']],
  [{ variations: 3, seed: '0' }, true, ['0', '1', '2']],
  // From a random one, which is 100.
  [{ variations: 2 }, true, ['100', '101']],
  [{ variations: 2, seed: '4294967295' }, true, ['4294967295', '0']],
  [{ variations: 3 }, false, ['', '', '']],
  [{}, false, ['']],
] as const)
  test(`the seeds of ${JSON.stringify(form)} are ${expected}${hasSeeds ? '' : ' if none are offered'}`, () =>
    assert.deepEqual(variationSeeds({ ...EMPTY_VIDEO_FORM, ...form }, 100, hasSeeds), expected));

describe('the request of a form', () => {
  test('has no negative prompt with reference images', () => {
    assert.equal(toFields({ mode: 'references', negativePrompt: 'people' }).negativePrompt, undefined);
    assert.equal(toFields({ mode: 'text', negativePrompt: 'people' }).negativePrompt, 'people');
  });
  test('has seed 0', () => assert.equal(toFields({ seed: '0' }).seed, '0'));
  test('has no seed if none is given', () => assert.ok(!('seed' in toFields({ seed: '' }))));
  test('has the chosen test prompt at the end of its prompt', () =>
    assert.equal(toFields({ prompt: 'A cat', testPrompt: 'filtered' }).prompt, 'A cat [sample: filtered]'));
});

describe('a seed', () => {
  for (const [text, accepted] of [
    ['0', true],
    ['4294967295', true],
    ['4294967296', false],
    ['-1', false],
    ['1.5', false],
    ['1e3', false],
    [' 1', false],
    ['99999999999999999999', false],
  ] as const)
    test(`${JSON.stringify(text)} is ${accepted ? 'accepted' : 'rejected'}`, () =>
      assert.equal(findProblems({ ...EMPTY_VIDEO_FORM, seed: text }, NO_FILES).seed === undefined, accepted));
});

test('unknown stored values become the defaults', () => {
  for (const stored of [
    {},
    { mode: 'video', seconds: '8', prompt: 5, model: null, resolution: [], seed: {}, variations: 5 },
    { variations: '2' },
  ])
    assert.deepEqual(readVideoForm(stored), EMPTY_VIDEO_FORM);
});

test('a stored form is read unchanged', () => {
  const form = { ...EMPTY_VIDEO_FORM, mode: 'references', prompt: 'x', seconds: 4, seed: '7' } as const;
  assert.deepEqual(readVideoForm(JSON.parse(JSON.stringify(form))), form);
});
