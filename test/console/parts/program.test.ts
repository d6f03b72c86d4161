import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Language, type NamedImage, writeProgram } from '../../../console/parts/program.ts';
import { imageProgram, readImageForm } from '../../../console/playground/image-form.ts';
import { videoProgram } from '../../../console/playground/video-code.ts';
import {
  EMPTY_VIDEO_FORM,
  NO_FILES,
  type VideoFiles,
  type VideoForm,
} from '../../../console/playground/video-form.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder('program');

const videoCode = (language: Language, form: VideoForm, files: VideoFiles<NamedImage>): string =>
  writeProgram(language, videoProgram(form, files));
const imageCode = (language: Language, prompt: string, inputs: readonly NamedImage[] = []): string =>
  writeProgram(language, imageProgram(readImageForm({ prompt }), inputs));

const AWKWARD = [
  'it\'s $HOME `id` \\ "quoted" ; & | > <',
  '@/etc/passwd',
  '</etc/passwd',
  'two\nlines and a\ttab',
  '🦊 قارب ورقي \u2028 end',
  '%s $BASE_URL {not} {{a}} template',
];

/** The arguments of the first call of curl; later ones depend on its output. */
const shellWords = (program: string): readonly string[] => {
  const curl = `curl() { for word; do printf '%s\\0' "$word" >&2; done; }; jq() { :; };`;
  const env = { BASE_URL: 'http://base', API_KEY: 'key', PATH: process.env.PATH ?? '' };
  const { stderr } = spawnSync('/bin/sh', ['-c', `${curl} ${program}`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return stderr.split('\0').slice(0, -1);
};

for (const prompt of AWKWARD)
  test(`programs send the prompt ${JSON.stringify(prompt)} unchanged`, () => {
    const form = { ...EMPTY_VIDEO_FORM, prompt };
    const words = shellWords(videoCode('curl', form, NO_FILES));
    assert.equal(words[words.indexOf(`prompt=${prompt}`) - 1], '--form-string');
    const lines = videoCode('node', form, NO_FILES).split('\n');
    const literal = lines.find((line) => line.startsWith('  prompt: '))?.slice('  prompt: '.length, -1);
    assert.equal(JSON.parse(literal ?? ''), prompt);
    const imageWords = shellWords(imageCode('curl', prompt));
    assert.equal(JSON.parse(imageWords[imageWords.indexOf('-d') + 1] ?? '').prompt, prompt);
  });

const named = (...names: string[]) => names.map((name) => ({ name }));
const FILES: VideoFiles<NamedImage> = {
  first: named('first "frame";type=x.png'),
  last: named('last.jpg'),
  references: named('one.png', 'two.png'),
};

test('a file name cannot change how curl reads the field', () => {
  const words = shellWords(videoCode('curl', { ...EMPTY_VIDEO_FORM, mode: 'first_frame' }, FILES));
  assert.ok(words.includes('input_reference=@"first \\"frame\\";type=x.png"'));
});

test('only the images of the mode are sent', () => {
  const counts = (['text', 'first_frame', 'first_and_last_frame', 'references'] as const).map(
    (mode) =>
      shellWords(videoCode('curl', { ...EMPTY_VIDEO_FORM, mode }, FILES)).filter((word) => word === '-F')
        .length,
  );
  assert.deepEqual(counts, [0, 1, 2, 2]);
});

test('Python names parameters of its client, and sends others in the extra body', () => {
  const text = videoCode('python', { ...EMPTY_VIDEO_FORM, prompt: 'A kite', seed: '7' }, NO_FILES);
  assert.match(
    text,
    /videos\.create_and_poll\([^{]*\n {4}prompt="A kite",[^{]*extra_body=\{\n {8}"seed": "7",\n/,
  );
  const firstFrame = { ...EMPTY_VIDEO_FORM, mode: 'first_frame' } as const;
  const image = { ...NO_FILES, first: named('one.png') };
  assert.match(videoCode('python', firstFrame, image), /\n {4}input_reference=open\("one\.png", "rb"\),\n\)/);
});

test('Python uploads images for which its client has no parameter', () => {
  assert.match(
    videoCode('python', { ...EMPTY_VIDEO_FORM, mode: 'references' }, FILES),
    /"reference_images": \[upload\("one\.png", "image\/png"\), upload\("two\.png", "image\/png"\)\],/,
  );
});

test('a mode without images shows placeholders', () => {
  assert.match(
    videoCode('node', { ...EMPTY_VIDEO_FORM, mode: 'references' }, NO_FILES),
    /\[createReadStream\("reference.png"\)\]/,
  );
});

const LARGE = { name: "it's large.jpg", size: 5_000_000, type: 'image/jpeg' };

for (const [language, expected] of [
  ['curl', /--form-string "input_reference\[file_id\]=\$\(upload 'it'\\''s large\.jpg' image\/jpeg\)"/],
  ['node', /input_reference: await upload\("it's large\.jpg", "image\/jpeg"\),/],
  ['python', /"input_reference": upload\("it's large\.jpg", "image\/jpeg"\),/],
] as const)
  test(`${language} uploads an image that is too large for a request`, () => {
    const form = { ...EMPTY_VIDEO_FORM, mode: 'first_frame' } as const;
    assert.match(videoCode(language, form, { ...NO_FILES, first: [LARGE] }), expected);
    const small = { ...LARGE, size: 4_000_000 };
    assert.doesNotMatch(videoCode(language, form, { ...NO_FILES, first: [small] }), /upload/);
  });

test('two images that are too large together are uploaded first and sent as a list', () => {
  const half = { name: 'half.png', size: 3_000_000 };
  const code = videoCode(
    'curl',
    { ...EMPTY_VIDEO_FORM, mode: 'references' },
    { ...NO_FILES, references: [half, half] },
  );
  assert.equal(code.split(`"reference_images[][file_id]=$(upload 'half.png' image/png)"`).length, 3);
});

test('an image request without inputs generates, with inputs it edits', () => {
  const input = { name: 'input.png', size: 100 };
  assert.match(imageCode('curl', 'A kite'), /"\$BASE_URL\/v1\/images\/generations"/);
  assert.match(imageCode('curl', 'A kite', [input]), /images\/edits"[\s\S]*-F 'image=@"input\.png"'/);
  assert.match(imageCode('node', 'A kite', [input]), /images\.edit\(\{[\s\S]*image: \[createReadStream/);
  assert.match(
    imageCode('python', 'A kite', [input]),
    /images\.edit\([\s\S]*image=\[open\("input\.png", "rb"\)\]/,
  );
});
