import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { longOr } from '../support/long-tests.ts';
import { MEASUREMENTS } from './measurements.ts';

/** Why these are left to `npm run bench`. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  console: 'needs Chromium; test/browser opens the same pages',
  'npm-start': 'test/lib/local/start/npm-start.test.ts starts it',
  ...longOr(
    {
      fairness: 'takes ten seconds of CPU; LONG_TESTS=1 includes it',
      upstreams: 'starts a service with a pool of its own; LONG_TESTS=1 includes it',
      // A step that an ending worker receives on a busy machine comes back only after minutes.
      ...Object.fromEntries(
        ['memory', 'worker-time', 'completion', 'webhooks', 'aws-calls', 'cost'].map((name) => [
          name,
          'ends workers between steps; LONG_TESTS=1 includes it',
        ]),
      ),
    },
    {},
  ),
};

const only = MEASUREMENTS.filter(({ name }) => LEFT_OUT[name] === undefined).flatMap(({ name }) => [
  '--only',
  name,
]);

test('each measurement of npm run bench -- --quick works', async () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bench, '--quick', ...only], {
    cwd: resolve(import.meta.dirname, '..', '..'),
  });
  assert.equal(stderr, '');
  for (const { name, title } of MEASUREMENTS)
    if (LEFT_OUT[name] === undefined) assert.match(stdout, new RegExp(`^${title}: \\d+ s$`, 'm'));
});
