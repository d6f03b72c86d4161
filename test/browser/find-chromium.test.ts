import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { findChromium } from '../support/find-chromium.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = await temporaryFolder('chromium');

const executable = async (...parts: string[]): Promise<string> => {
  const file = join(folder, ...parts);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, 0o700);
  return file;
};

describe('Chromium', () => {
  test('is the one in CHROMIUM_PATH before any on the path', async () => {
    const named = await executable('named');
    const onPath = await executable('bin', 'chromium');
    assert.equal(findChromium({ CHROMIUM_PATH: named, PATH: dirname(onPath) }), named);
    assert.equal(findChromium({ PATH: dirname(onPath), PLAYWRIGHT_BROWSERS_PATH: folder }), onPath);
  });

  test('is not searched elsewhere if the one in CHROMIUM_PATH is missing', () => {
    assert.throws(() => findChromium({ CHROMIUM_PATH: join(folder, 'nothing') }), /CHROMIUM_PATH/);
  });

  test('is a headless shell rather than a full browser', async () => {
    const browser = await executable('both', 'chromium');
    const PLAYWRIGHT_BROWSERS_PATH = join(folder, 'none');
    assert.equal(findChromium({ PATH: dirname(browser), PLAYWRIGHT_BROWSERS_PATH }), browser);
    const cached = await executable(
      'shells',
      'chromium_headless_shell-1234',
      'chrome-linux',
      'headless_shell',
    );
    const shells = { PATH: dirname(browser), PLAYWRIGHT_BROWSERS_PATH: join(folder, 'shells') };
    assert.equal(findChromium(shells), cached);
    const onPath = await executable('both', 'chromium-headless-shell');
    assert.equal(findChromium(shells), onPath);
  });

  test('is found in the folder of Playwright', async () => {
    const own = await executable('browsers', 'chromium-1234', 'chrome-linux', 'chrome');
    const found = findChromium({ PATH: '', PLAYWRIGHT_BROWSERS_PATH: join(folder, 'browsers') });
    // A Chromium in a usual place comes first.
    assert.ok(found === own || found?.startsWith(folder) === false, found);
  });
});
