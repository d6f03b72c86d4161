import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Language, type Program, writeProgram } from '../../console/parts/program.ts';
import { imageProgram, readImageForm } from '../../console/playground/image-form.ts';
import { videoProgram } from '../../console/playground/video-code.ts';
import { EMPTY_VIDEO_FORM, NO_FILES } from '../../console/playground/video-form.ts';
import { readImageHeader } from '../../functions/catalogue/domain/input-image.ts';
import { largePng, PNG } from '../support/images.ts';
import { readCodecs } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const service = await openSharedService();
const folder = await temporaryFolder('programs');
await symlink(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));

const small = { name: "it's small.png", size: PNG.length, type: 'image/png' };
const LARGE_BYTES = largePng(5_000_000);
const large = { name: 'large "image".png', size: LARGE_BYTES.length, type: 'image/png' };

const RUNS: Record<Language, { readonly file: string; readonly command: string; readonly needs: string[] }> =
  {
    curl: { file: 'program.sh', command: 'sh', needs: ['sh', '-c', 'curl --version && jq --version'] },
    node: { file: 'program.mjs', command: process.execPath, needs: [process.execPath, '--version'] },
    python: { file: 'program.py', command: 'python3', needs: ['python3', '-c', 'import openai'] },
  };

const isMissing = (language: Language): string | false => {
  const [command = '', ...args] = RUNS[language].needs;
  return spawnSync(command, args).status === 0
    ? false
    : `${language} or one of its dependencies is not installed`;
};

/** Runs a program in a new folder; `written` reads one of its output files. */
const runProgram = async (
  name: string,
  language: Language,
  program: Program,
  apiKey: string = service.apiKey,
) => {
  const place = join(folder, `${name}-${language}`);
  await mkdir(place);
  await writeFile(join(place, small.name), PNG);
  await writeFile(join(place, large.name), LARGE_BYTES);
  const { file, command } = RUNS[language];
  await writeFile(join(place, file), writeProgram(language, program));
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: apiKey };
  const [result] = await Promise.allSettled([run(command, [file], { cwd: place, env, encoding: 'utf8' })]);
  return {
    error: result.status === 'rejected' ? result.reason : undefined,
    names: (await readdir(place)).toSorted(),
    written: (output: string) => readFile(join(place, output)),
  };
};

const IMAGE_FORM = readImageForm({
  prompt: 'It is "quoted", $HOME and `this` \\n too',
  aspectRatio: '16:9',
  imageSize: '512',
});
const VIDEO_FORM = {
  ...EMPTY_VIDEO_FORM,
  mode: 'first_frame',
  prompt: 'a quiet harbour',
  seconds: 8,
} as const;

for (const language of ['curl', 'node', 'python'] as const)
  describe(`the code that the console shows for ${language}`, {
    skip: isMissing(language),
    concurrency: 2,
  }, () => {
    test('makes an image from inputs, of which one is too large for the request', async () => {
      const program = imageProgram(IMAGE_FORM, [large, small]);
      const { error, written } = await runProgram('image', language, program);
      assert.equal(error, undefined);
      const header = readImageHeader(await written('image.jpg'));
      assert.deepEqual([header?.width, header?.height], [688, 384]);
    });

    test('makes two images with one request', async () => {
      const program = imageProgram({ ...IMAGE_FORM, count: 2 }, []);
      const { error, names, written } = await runProgram('two', language, program);
      assert.equal(error, undefined);
      const images = names.filter((name) => name.endsWith('.jpg'));
      assert.deepEqual(images, ['image-1.jpg', 'image-2.jpg']);
      for (const name of images) assert.equal(readImageHeader(await written(name))?.width, 688);
    });

    // The tests of the documentation cover a video from a small image.
    test('makes a video from a large image', async () => {
      const program = videoProgram(VIDEO_FORM, { ...NO_FILES, first: [large] });
      const { error, written } = await runProgram('video', language, program);
      assert.equal(error, undefined);
      assert.deepEqual(readCodecs(await written('video.mp4')).toSorted(), ['avc1', 'mp4a']);
    });

    const FAILING = { ...EMPTY_VIDEO_FORM, prompt: 'A kite [sample: filtered]', seconds: 4 } as const;
    const wrongKey = `${service.apiKey.slice(0, -1)}!`;
    for (const [title, program, apiKey, message] of [
      ['a task that fails', videoProgram(FAILING, NO_FILES), service.apiKey, /filter/i],
      [
        'an image that is blocked',
        imageProgram({ ...IMAGE_FORM, prompt: FAILING.prompt }, []),
        service.apiKey,
        /filter|blocked/i,
      ],
      ['a wrong key', videoProgram(FAILING, NO_FILES), wrongKey, /API key/],
      [
        'a wrong key for an upload',
        videoProgram(VIDEO_FORM, { ...NO_FILES, first: [large] }),
        wrongKey,
        /API key/,
      ],
    ] as const)
      test(`ends with an error code and without a file for ${title}`, async () => {
        const { error, names } = await runProgram(title, language, program, apiKey);
        assert.ok(error !== undefined && error.code !== 0);
        assert.match(error.stderr, message);
        const files = names.filter((name) => /\.(mp4|jpg)$/.test(name));
        assert.deepEqual(files, []);
      });
  });
