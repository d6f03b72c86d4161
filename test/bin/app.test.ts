import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';

const APP = resolve(import.meta.dirname, '..', '..', 'bin', 'app.ts');

/** Limits of CloudFormation for one stack. */
const MAX_RESOURCES = 500;
const MAX_TEMPLATE_BYTES = 1_000_000;

test('the app is synthesized into a relative folder, with its bundles', async () => {
  const cwd = await temporaryFolder('synth');
  await promisify(execFile)(process.execPath, [APP], { cwd, env: { ...process.env, CDK_OUTDIR: 'out' } });
  const template = readFileSync(join(cwd, 'out', 'MediaGeneration.template.json'), 'utf8');
  const resources = Object.keys(JSON.parse(template).Resources).length;
  assert.ok(resources > 100 && resources <= MAX_RESOURCES, `${resources} resources`);
  assert.ok(template.length <= MAX_TEMPLATE_BYTES, `${template.length} bytes`);
  assert.ok(existsSync(join(cwd, 'out', 'bundles', 'get-console', 'console', 'index.html')));
});
