import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';

const APP = resolve(import.meta.dirname, '..', '..', 'bin', 'app.ts');

test('a command that builds nothing, such as cdk bootstrap, needs only the name, account and region of the stack', async () => {
  const cwd = await temporaryFolder('synth');
  const settings = { stackName: 'Films', region: 'eu-west-1', upstream: 'openrouter' };
  const given = { 'aws:cdk:bundling-stacks': [], ...settings };
  const env = { ...process.env, CDK_OUTDIR: 'out', CDK_CONTEXT_JSON: JSON.stringify(given) };
  await promisify(execFile)(process.execPath, [APP], { cwd, env });
  const { artifacts } = JSON.parse(readFileSync(join(cwd, 'out', 'manifest.json'), 'utf8'));
  const { Films: stack } = artifacts;
  assert.deepEqual(
    [stack.type, stack.environment],
    ['aws:cloudformation:stack', 'aws://unknown-account/eu-west-1'],
  );
  const template = JSON.parse(readFileSync(join(cwd, 'out', 'Films.template.json'), 'utf8'));
  assert.equal(template.Resources, undefined);
});

test('the app is not synthesized without an upstream, and one sentence lists the presets', async () => {
  const cwd = await temporaryFolder('synth');
  const env = { ...process.env, CDK_OUTDIR: 'out', CDK_CONTEXT_JSON: '{}' };
  await assert.rejects(promisify(execFile)(process.execPath, [APP], { cwd, env }), {
    code: 1,
    stderr:
      'Configuration upstream: is required, to say who generates the videos and images: set it to openrouter, {"kind":"google-cloud","project":"PROJECT"} or {"kind":"openai","baseUrl":"https://…"}.\n',
  });
  assert.equal(existsSync(join(cwd, 'out', 'MediaGeneration.template.json')), false);
});
