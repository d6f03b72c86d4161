import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';

const APP = resolve(import.meta.dirname, '..', '..', 'bin', 'app.ts');

/** The bundles that the other tests use: to make them again takes ten seconds. */
const CONTEXT = JSON.stringify({
  keepBundles: true,
  upstream: {
    kind: 'gemini',
    models: { 'image-3.1-flash-image-preview': 'gemini-3.1-flash-image-preview' },
  },
});

test('the app is synthesized into a relative folder, with its bundles, and warns about a model that has ended', async () => {
  const cwd = await temporaryFolder('synth');
  // CDK's own validation takes most of the time; the test of the schema checks the same resources.
  const env = { ...process.env, CDK_OUTDIR: 'out', CDK_VALIDATION: 'false', CDK_CONTEXT_JSON: CONTEXT };
  const { stderr } = await promisify(execFile)(process.execPath, [APP], { cwd, env });
  assert.match(
    stderr,
    /^Warning: Upstream gemini: gemini-3\.1-flash-image-preview on Gemini API ended on 2026-06-25\. The platform names gemini-3\.1-flash-image as its replacement\.$/m,
  );
  assert.ok(existsSync(join(cwd, 'out', 'MediaGeneration.template.json')));
  const assets = readdirSync(join(cwd, 'out')).filter((name) => name.startsWith('asset.'));
  assert.ok(assets.length > 30, `${assets.length} bundles`);
  assert.ok(assets.some((name) => existsSync(join(cwd, 'out', name, 'console', 'index.html'))));
});

test('a command that builds nothing, such as cdk bootstrap, needs only the name, account and region of the stack', async () => {
  const cwd = await temporaryFolder('synth');
  const given = { 'aws:cdk:bundling-stacks': [], stackName: 'Films', region: 'eu-west-1' };
  const env = { ...process.env, CDK_OUTDIR: 'out', CDK_CONTEXT_JSON: JSON.stringify(given) };
  await promisify(execFile)(process.execPath, [APP], { cwd, env });
  const { artifacts } = JSON.parse(readFileSync(join(cwd, 'out', 'manifest.json'), 'utf8'));
  const { Films: stack } = artifacts;
  assert.deepEqual(
    [stack.type, stack.environment],
    ['aws:cloudformation:stack', 'aws://unknown-account/eu-west-1'],
  );
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
