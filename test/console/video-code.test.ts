import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { videoCode } from '../../console/playground/video-code.ts';
import { NO_FILES, type VideoFiles } from '../../console/playground/video-fields.ts';
import { EMPTY_VIDEO_FORM } from '../../console/playground/video-form.ts';

const AWKWARD = [
  'it\'s $HOME `id` \\ "quoted" ; & | > <',
  '@/etc/passwd',
  '</etc/passwd',
  'two\nlines and a\ttab',
  '🦊 قارب ورقي \u2028 end',
  '%s $BASE_URL {not} {{a}} template',
];

/** What a shell hands to curl: the words of the line, one a record. */
const shellWords = (line: string): readonly string[] =>
  execFileSync('/bin/sh', ['-c', `curl() { for word; do printf '%s\\0' "$word"; done; }; ${line}`], {
    env: { BASE_URL: 'http://base', API_KEY: 'key' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

for (const prompt of AWKWARD) {
  test(`curl sends the prompt ${JSON.stringify(prompt)} as it stands`, () => {
    const words = shellWords(videoCode('curl', { ...EMPTY_VIDEO_FORM, prompt }, NO_FILES));
    assert.equal(words[words.indexOf(`prompt=${prompt}`) - 1], '--form-string');
  });

  test(`Node's code holds the prompt ${JSON.stringify(prompt)} as it stands`, () => {
    const code = videoCode('node', { ...EMPTY_VIDEO_FORM, prompt }, NO_FILES);
    const line = code.split('\n').find((text) => text.startsWith('  prompt: '));
    assert.equal(JSON.parse(line?.slice('  prompt: '.length, -1) ?? ''), prompt);
  });
}

const named = (...names: string[]) => names.map((name) => ({ name }));
const FILES: VideoFiles<{ readonly name: string }> = {
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

test('Python sends JSON without images and a form with them', () => {
  assert.match(videoCode('python', EMPTY_VIDEO_FORM, NO_FILES), /headers=key, json=\{/);
  assert.match(
    videoCode('python', { ...EMPTY_VIDEO_FORM, mode: 'references' }, FILES),
    /headers=key, data=\{/,
  );
});

test('a mode without its images shows where they go', () => {
  assert.match(
    videoCode('node', { ...EMPTY_VIDEO_FORM, mode: 'references' }, NO_FILES),
    /\[createReadStream\("reference.png"\)\]/,
  );
});
