import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from './run-command.ts';

// The other tests of the stack validate it.
const WITHOUT_VALIDATION = { CDK_VALIDATION: 'false' };

test('npm run synth -- --configuration writes a documented configuration, whatever the environment sets', async () => {
  const { code, output, errors } = await runCommand('synth', ['--configuration', 'default'], {
    ...WITHOUT_VALIDATION,
    MEDIA_GENERATION_UPSTREAM: 'openrouter',
    MEDIA_GENERATION_WAF: 'true',
  });
  assert.deepEqual([code, errors], [0, '']);
  const [titles = '', row = ''] = output.split('\n');
  assert.match(titles, /^Configuration {2}Functions /);
  assert.equal(row.split(/ {2,}/)[0], 'default');
  assert.doesNotMatch(row, /undefined|NaN/);
  const template = join('cdk.out', 'configurations', 'default.template.json');
  assert.doesNotMatch(readFileSync(template, 'utf8'), /AWS::WAFv2/);
});

test('a misspelled setting is one sentence', async () => {
  const { code, output, errors } = await runCommand('synth', ['--all'], { MEDIA_GENERATION_UPSTEAM: 'x' });
  assert.deepEqual(
    [code, output, errors],
    [1, '', 'The variable MEDIA_GENERATION_UPSTEAM is not a setting of this service.\n'],
  );
});
