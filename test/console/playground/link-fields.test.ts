import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImageForm } from '../../../console/playground/image-form.ts';
import {
  readImageLink,
  readVideoLink,
  writeImageLink,
  writeVideoLink,
} from '../../../console/playground/link-fields.ts';
import { EMPTY_VIDEO_FORM, readVideoForm } from '../../../console/playground/video-form.ts';

const FILE = 'file_01jd0000000000000000000000';
const OTHER = 'file_01jd0000000000000000000001';

test('a link contains all settings of a video, and its images by file id', () => {
  const form = readVideoForm({
    mode: 'first_and_last_frame',
    prompt: 'A kite & a “fox”\n#settings=image&prompt=no',
    model: 'video-3.1-generate-preview',
    seconds: 8,
    resolution: '1080p',
    aspectRatio: '9:16',
    negativePrompt: 'rain',
    seed: '0',
    variations: 3,
    testPrompt: 'filtered',
  });
  const files = { first: [FILE], last: [OTHER], references: [] };
  assert.deepEqual(readVideoLink(writeVideoLink(form, files)), { form, files, problems: [] });
});

test('a link contains all settings of an image', () => {
  const form = readImageForm({
    prompt: 'A harbor',
    aspectRatio: '21:9',
    imageSize: '2K',
    count: 4,
    kept: [{ id: FILE, name: 'a.jpg' }],
  });
  const { form: read, files, problems } = readImageLink(writeImageLink(form, [OTHER]));
  assert.deepEqual(read, { ...form, kept: [] });
  assert.deepEqual(files, [FILE, OTHER]);
  assert.deepEqual(problems, []);
});

test('values that are not accepted are named and dropped', () => {
  const hostile = [
    ['mode', 'extend'],
    ['model', '__proto__'],
    ['seconds', '7'],
    ['seconds', '8'],
    ['resolution', '<img src=x onerror=alert(1)>'],
    ['ratio', 'constructor'],
    ['seed', '1e9'],
    ['variations', '99'],
    ['test', '] other'],
    ['prompt', 'x'.repeat(32_001)],
    ['first', '../keys'],
    ['references', `${FILE}/content`],
    ['autostart', 'yes'],
  ] as const;
  const params = new URLSearchParams({ settings: 'video' });
  for (const [name, value] of hostile) params.append(name, value);
  const { form, files, problems } = readVideoLink(`#${params}`);
  assert.deepEqual(form, EMPTY_VIDEO_FORM);
  assert.deepEqual(files, { first: [], last: [], references: [] });
  const named = new Set(problems.map(([name]) => name));
  assert.deepEqual([...named].toSorted(), [...new Set(hostile.map(([name]) => name))].toSorted());
});

test('only as many images are read as the form takes', () => {
  const many = Array.from({ length: 5 }, () => `references=${FILE}`).join('&');
  assert.equal(readVideoLink(`#settings=video&mode=references&${many}`).files.references.length, 3);
});
