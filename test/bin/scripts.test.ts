import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { documentedCommands, findTreatment, HERE } from '../docs/documented-commands.ts';
import { readDocument } from '../docs/sections.ts';
import { SCRIPTS } from '../support/scripts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const REHEARSAL = 'test/lib/rehearsal/rehearsal.test.ts';

/** The test that runs the script, by a text in it. */
const TESTED: Readonly<Record<string, readonly [file: string, text: string]>> = {
  start: ['test/lib/local/start/npm-start.test.ts', 'npmStart('],
  bench: ['test/bench/bench.test.ts', "'bench.ts'"],
  synth: ['test/bin/synth.test.ts', "runCommand('synth'"],
  diff: ['test/bin/deploy.test.ts', "'diff'"],
  deploy: ['test/bin/deploy.test.ts', "runCommand('deploy'"],
  'execution-policy': ['test/bin/scripts.test.ts', "runCommand('execution-policy'"],
  restore: ['test/bin/restore.test.ts', "'restore'"],
  'sample-generator': ['test/lib/sample-generator/command.test.ts', 'bin/sample-generator.ts'],
  smoke: ['test/bin/smoke.test.ts', 'runSmoke('],
  sbom: ['test/bin/sbom.test.ts', "spawnCommand('sbom'"],
  rehearse: [REHEARSAL, 'REHEARSALS'],
};

/** Why no test runs the script. */
const NOT_RUN: Readonly<Record<string, string>> = {
  test: 'is this run',
  'test:quick': 'is a part of this run',
  check: 'is the first part of this run',
  format: 'changes the sources; the check reports what it would change',
  'test:clients': 'installs clients of others from the npm registry',
  screenshot: 'needs Chromium and overwrites a picture; npm-start.test.ts takes the same steps in a browser',
  mutate: 'compiles a copy of the project for a minute; mutators.test.ts tests its changes',
  'record-release': 'overwrites the record of the release, which upgrade.test.ts runs',
};

const documented = documentedCommands()
  .filter((command) => findTreatment(command) === HERE)
  .map(({ text }) => /^npm run (?:-s )?([\w:-]+)/.exec(text)?.[1]);

describe('every script of package.json is run by a test, or has a reason why not:', () => {
  for (const name of Object.keys(SCRIPTS))
    test(name, () => {
      const [file, text] = TESTED[name] ?? [];
      const isTested = file !== undefined && readDocument(file).includes(text ?? '');
      assert.ok(isTested || documented.includes(name) || NOT_RUN[name] !== undefined);
    });
});

test('npm run execution-policy writes the policies of the settings', async () => {
  const folder = await temporaryFolder('policies');
  const args = ['--account', '123456789012', '--region', 'us-east-1', '--output', folder];
  const { code, errors } = await runCommand('execution-policy', args, {
    MEDIA_GENERATION_UPSTREAM: 'openrouter',
  });
  assert.deepEqual([code, errors], [0, '']);
  assert.ok(readdirSync(folder).includes('boundary.json'));
});
