import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textFields } from '../../../console/playground/video-fields.ts';
import {
  EMPTY_VIDEO_FORM,
  isSeed,
  readVideoForm,
  secondsOf,
  type VideoForm,
} from '../../../console/playground/video-form.ts';

const fieldsOf = (form: Partial<VideoForm>) =>
  Object.fromEntries(textFields({ ...EMPTY_VIDEO_FORM, ...form }));

describe('the length of a video', () => {
  for (const [form, seconds] of [
    [{ seconds: 4 }, 4],
    [{ seconds: 4, resolution: '1080p' }, 8],
    [{ seconds: 6, resolution: '4k' }, 8],
    [{ seconds: 4, mode: 'references' }, 8],
    [{ seconds: 6, mode: 'first_and_last_frame' }, 8],
    [{ seconds: 6, mode: 'first_frame' }, 6],
  ] as const)
    test(`is ${seconds} for ${JSON.stringify(form)}`, () => {
      assert.equal(secondsOf({ ...EMPTY_VIDEO_FORM, ...form }), seconds);
      assert.equal(fieldsOf(form).seconds, String(seconds));
    });
});

describe('the request of a form', () => {
  test('has no negative prompt with reference images', () => {
    assert.equal(fieldsOf({ mode: 'references', negativePrompt: 'people' }).negativePrompt, undefined);
    assert.equal(fieldsOf({ mode: 'text', negativePrompt: 'people' }).negativePrompt, 'people');
  });
  test('has seed 0', () => assert.equal(fieldsOf({ seed: '0' }).seed, '0'));
  test('has no seed where none is given', () => assert.ok(!('seed' in fieldsOf({ seed: '' }))));
  test('has the rehearsed failure in its prompt', () =>
    assert.equal(fieldsOf({ prompt: 'A cat', rehearsal: 'filtered' }).prompt, 'A cat [sample: filtered]'));
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
    test(`${JSON.stringify(text)} is ${accepted ? 'accepted' : 'refused'}`, () =>
      assert.equal(isSeed(text), accepted));
});

test('a stored form that is not one becomes the empty form', () => {
  for (const stored of [
    {},
    { mode: 'video', seconds: '8', prompt: 5, model: null, resolution: [], seed: {} },
  ])
    assert.deepEqual(readVideoForm(stored), EMPTY_VIDEO_FORM);
});

test('a stored form is read as it was', () => {
  const form = { ...EMPTY_VIDEO_FORM, mode: 'references', prompt: 'x', seconds: 4, seed: '7' } as const;
  assert.deepEqual(readVideoForm(JSON.parse(JSON.stringify(form))), form);
});
