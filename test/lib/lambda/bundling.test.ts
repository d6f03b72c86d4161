import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { App, Stack } from 'aws-cdk-lib/core';
import { keptBundles } from '../../../lib/lambda/bundling.ts';
import { bundlesFolder } from '../../../lib/lambda/functions.ts';
import { createProject, write } from '../../support/project.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILES = {
  'console/main.tsx': 'page',
  'functions/create-video.ts': 'create',
  'functions/domain/task.ts': 'task',
  'lib/lambda/bundle.ts': 'bundle',
  'package.json': '{}',
  'tsconfig.json': '{}',
  'node_modules/.package-lock.json': '{}',
};

const newProject = (): Promise<string> => createProject(FILES);

const bundler = () => {
  let made = 0;
  const make = (folder: string): void => {
    made += 1;
    writeFileSync(join(folder, 'index.mjs'), `bundle ${made}`);
  };
  return { make, made: () => made };
};

const neverMade = (): void => assert.fail('created again');

describe('kept bundles', () => {
  test('are created once', async () => {
    const project = await newProject();
    const folder = keptBundles(bundler().make, project);
    assert.ok(folder !== undefined);
    assert.equal(readFileSync(join(folder, 'index.mjs'), 'utf8'), 'bundle 1');
    assert.equal(keptBundles(neverMade, project), folder);
  });

  for (const [file, text] of Object.entries(FILES))
    test(`are created again when ${file} changes, and reused when it changes back`, async () => {
      const project = await newProject();
      const { make, made } = bundler();
      const before = keptBundles(make, project);
      write(project, file, 'changed');
      assert.notEqual(keptBundles(make, project), before);
      assert.equal(made(), 2);
      write(project, file, text);
      assert.equal(keptBundles(neverMade, project), before);
    });

  test('are created again when a file is added', async () => {
    const project = await newProject();
    const { make, made } = bundler();
    const places = new Set([keptBundles(make, project)]);
    write(project, 'functions/empty.ts', '');
    places.add(keptBundles(make, project));
    write(project, 'functions/emptier.ts', '');
    places.add(keptBundles(make, project));
    assert.deepEqual([places.size, made()], [3, 3]);
  });

  test('are not kept after an error', async () => {
    const project = await newProject();
    const half = (folder: string): void => {
      writeFileSync(join(folder, 'index.mjs'), 'half');
      throw new Error('a function does not compile');
    };
    assert.throws(() => keptBundles(half, project), /does not compile/);
    const { make, made } = bundler();
    const folder = keptBundles(make, project);
    assert.ok(folder !== undefined);
    assert.equal(made(), 1);
    assert.deepEqual(readdirSync(dirname(folder)).length, 1);
  });

  test('are removed after an hour if newer ones exist', async () => {
    const project = await newProject();
    const old = keptBundles(bundler().make, project);
    assert.ok(old !== undefined);
    const twoHoursAgo = Date.now() / 1000 - 7200;
    utimesSync(old, twoHoursAgo, twoHoursAgo);
    write(project, 'functions/create-video.ts', 'changed');
    const next = keptBundles(bundler().make, project);
    assert.ok(next !== undefined);
    assert.deepEqual(readdirSync(dirname(next)), [next.slice(dirname(next).length + 1)]);
  });

  test('are not kept if the cache folder cannot be created', async () => {
    const project = await newProject();
    write(project, 'node_modules/.cache', 'a file');
    assert.equal(keptBundles(neverMade, project), undefined);
  });

  test('are not kept if the installed packages are not recorded', async () => {
    const project = await newProject();
    rmSync(join(project, 'node_modules/.package-lock.json'));
    assert.equal(keptBundles(neverMade, project), undefined);
  });
});

describe('bundles that are not kept', () => {
  test('are made in the output folder, also in a relative one', async () => {
    const project = await temporaryFolder('bundling');
    const cwd = process.cwd();
    process.chdir(project);
    try {
      const stack = new Stack(new App({ outdir: 'out', analyticsReporting: false }), 'Stack');
      const made: string[] = [];
      const folder = bundlesFolder(stack, (name) => void made.push(name), project);
      assert.deepEqual([folder, made], [join(process.cwd(), 'out', 'bundles'), [folder]]);
    } finally {
      process.chdir(cwd);
    }
  });
});
