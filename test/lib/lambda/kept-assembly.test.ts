import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keptAssembly } from '../../../lib/lambda/kept-assembly.ts';
import { createProject, write } from '../../support/project.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open = async () => {
  const project = await createProject({
    'console/main.tsx': '',
    'functions/create-video.ts': '',
    'lib/lambda/bundle.ts': '',
    'bin/local.ts': '',
    'cdk.json': '{}',
    'package.json': '{}',
    'tsconfig.json': '{}',
    'node_modules/.package-lock.json': '{}',
  });
  const outdir = join(await temporaryFolder('assembly'), 'assembly');
  const template = join(outdir, 'template.json');
  const look = (settings: unknown = {}) => keptAssembly(outdir, settings, project);
  const synthesize = (): void => {
    const { keep } = look();
    writeFileSync(template, '{}');
    keep();
  };
  return { project, outdir, template, look, synthesize };
};

describe('a kept assembly', () => {
  test('is current while its sources and settings are the same', async () => {
    const { look, synthesize, template } = await open();
    assert.equal(look().isCurrent, false);
    synthesize();
    assert.equal(look().isCurrent, true);
    assert.equal(existsSync(template), true);
  });

  const FILES = ['bin/local.ts', 'cdk.json', 'lib/stack.ts', 'functions/create-video.ts'];
  for (const changed of ['a setting', ...FILES])
    test(`is removed when ${changed} changes`, async () => {
      const { project, look, synthesize, template } = await open();
      synthesize();
      if (FILES.includes(changed)) write(project, changed, 'changed');
      assert.equal(look(FILES.includes(changed) ? {} : { port: 2 }).isCurrent, false);
      assert.equal(existsSync(template), false);
    });

  test('is removed if its synthesis was interrupted', async () => {
    const { look, template } = await open();
    look();
    writeFileSync(template, '{');
    assert.equal(look().isCurrent, false);
    assert.equal(existsSync(template), false);
  });

  test('is never current where the installed packages are unknown', async () => {
    const { look, synthesize } = await open();
    synthesize();
    const elsewhere = await createProject({ 'package.json': '{}' });
    assert.equal(look().isCurrent, true);
    assert.equal(keptAssembly(join(elsewhere, 'assembly'), {}, elsewhere).isCurrent, false);
  });
});
