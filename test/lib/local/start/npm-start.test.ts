import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { allGone, endAll, listDescendants } from '../../../support/processes.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

test('npm start has sample prices, allows 1,000 executions and leaves no process behind when npm is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'npm-start-'));
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'data')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Ready in')) break;
  }
  npm.stdout.resume();
  assert.match(output, /Ready in/);
  const template = await readFile(join(folder, 'data', 'assembly', 'MediaGeneration.template.json'), 'utf8');
  const { Metadata } = templateSchema.parse(JSON.parse(template));
  assert.match(template, /"PRICES": ".*video-3\.1-fast-generate-preview\\":\\"0\.15/);
  assert.equal(Metadata.AccountQuotas.LambdaConcurrentExecutions, 1000);
  const started = await listDescendants(npm.pid);
  assert.ok(started.length >= 2);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  try {
    await allGone(started);
  } finally {
    endAll(started);
    await rm(folder, { recursive: true, force: true });
  }
});
