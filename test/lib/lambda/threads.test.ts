import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleInto, keptBundles } from '../../../lib/lambda/bundling.ts';
import { buildThread } from '../../../lib/lambda/threads.ts';

const IMAGE_WORKER = 'functions/images/adapters/image-worker.ts';
const PROJECT = join(import.meta.dirname, '..', '..', '..');

const build = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const { outputFiles } = await buildThread(IMAGE_WORKER, folder);
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
};

const WASM_FILES = [
  '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
  '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  '@jsquash/webp/codec/dec/webp_dec.wasm',
  '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
];

const files = await build('/unused/functions/one');

describe('the thread that converts images', () => {
  test('is one file, its source map, and the wasm files of the packages', () => {
    assert.deepEqual([...files.keys()].toSorted(), [
      'image-worker.mjs',
      'image-worker.mjs.map',
      ...WASM_FILES.map((file) => basename(file)).toSorted(),
    ]);
    for (const file of WASM_FILES)
      assert.deepEqual(files.get(basename(file)), readFileSync(join(PROJECT, 'node_modules', file)), file);
  });

  test('reads its wasm files from its own folder', () => {
    const code = files.get('image-worker.mjs')?.toString() ?? '';
    assert.doesNotMatch(code, /import\.meta\.resolve/);
    for (const file of WASM_FILES) assert.ok(code.includes(`"./${basename(file)}"`), file);
  });

  test('is the same in every function, which makes the asset hashes stable', async () => {
    assert.deepEqual(await build('/unused/functions/two'), files);
  });

  test('is deployed with the functions that convert images only', () => {
    const folder = keptBundles(bundleInto) ?? assert.fail('the bundles cannot be kept');
    const deployed = (name: string): string => join(folder, name, 'image-worker.mjs');
    const converting = ['generate-images', 'edit-images', 'generate-content', 'video-worker'];
    const others = ['chat-completions', 'get-video', 'create-video', 'sweeper'];
    const withThread = [...converting, ...others].filter((name) => existsSync(deployed(name)));
    assert.deepEqual(withThread, converting);
    assert.deepEqual(readFileSync(deployed('edit-images')), files.get('image-worker.mjs'));
  });
});
