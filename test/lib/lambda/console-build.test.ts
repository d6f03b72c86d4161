import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { buildConsole, PREFIX_PLACEHOLDER } from '../../../lib/lambda/console-build.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIRST_PAGE_BYTES = 45_000;
const ALL_BYTES = 130_000;

const folder = await temporaryFolder('console');
const again = await temporaryFolder('console-again');
await buildConsole(folder);
await buildConsole(again);
const page = readFileSync(join(folder, 'index.html'), 'utf8');

const assets = readdirSync(join(folder, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name));
const namedByPage = Array.from(page.matchAll(/\/console\/assets\/([^"]+)"/g), ([, name = '']) => name);
const compressed = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + statSync(join(folder, 'assets', `${name}.gz`)).size, 0);

describe('the built console', () => {
  test('refers only to existing files, each under the prefix', () => {
    assert.ok(namedByPage.length >= 3);
    for (const name of namedByPage) assert.ok(assets.includes(name), name);
    assert.equal(page.split(`="${PREFIX_PLACEHOLDER}/console/`).length - 1, namedByPage.length);
    assert.equal(page.replaceAll(PREFIX_PLACEHOLDER, '').includes('{{'), false);
  });

  test('has a content hash in the name of every asset', () => {
    for (const name of assets) assert.match(name, /-[A-Z0-9]{8}\.(?:js|css|txt)$/);
  });

  test('has every asset compressed with gzip and Brotli', () => {
    for (const name of assets) {
      const bytes = readFileSync(join(folder, 'assets', name));
      assert.deepEqual(gunzipSync(readFileSync(join(folder, 'assets', `${name}.gz`))), bytes);
      assert.deepEqual(brotliDecompressSync(readFileSync(join(folder, 'assets', `${name}.br`))), bytes);
    }
  });

  test(`loads at most ${FIRST_PAGE_BYTES} bytes first, and ${ALL_BYTES} in total`, () => {
    const results = assets.filter((name) => name.startsWith('video-results-'));
    assert.equal(results.length, 1);
    // A link to the licenses loads nothing.
    const linked = namedByPage.filter((name) => !name.endsWith('.txt'));
    const first = compressed([...linked, ...results]) + gzipSync(page).length;
    assert.ok(first <= FIRST_PAGE_BYTES, `${first}`);
    assert.ok(compressed(assets) <= ALL_BYTES, `${compressed(assets)}`);
  });

  test('names the styles of the later pages without loading them', () => {
    const [, name = ''] = /data-page-styles="([^"]+)"/.exec(page) ?? [];
    assert.match(readFileSync(join(folder, 'assets', name), 'utf8'), /\.gallery/);
    assert.equal(namedByPage.includes(name), false);
    const first = namedByPage.filter((linked) => linked.endsWith('.css'));
    assert.equal(first.length, 1);
    assert.doesNotMatch(readFileSync(join(folder, 'assets', first[0] ?? ''), 'utf8'), /\.gallery/);
  });

  test('contains no inline script, style or handler, which its policy would block', () => {
    assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  test('is reproducible', () => {
    assert.deepEqual(readdirSync(join(again, 'assets')), readdirSync(join(folder, 'assets')));
  });
});
