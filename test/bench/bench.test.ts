import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findChromium } from '../support/find-chromium.ts';
import { MEASUREMENTS } from './measurements.ts';

/** Those that figures.test.ts runs are left out, and without Chromium the console, as its tests are. */
const measurements = MEASUREMENTS.filter(({ name }) => {
  if (name === 'console') return findChromium() !== undefined || process.env.BROWSER_TESTS === 'required';
  return name !== 'bundle-size' && name !== 'allocation';
});

test('each measurement of npm run bench -- --quick works', async () => {
  const only = measurements.flatMap(({ name }) => ['--only', name]);
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bench, '--quick', ...only], {
    cwd: resolve(import.meta.dirname, '..', '..'),
  });
  assert.equal(stderr, '');
  for (const { title } of measurements) assert.match(stdout, new RegExp(`^${title}: \\d+ s$`, 'm'));
});
