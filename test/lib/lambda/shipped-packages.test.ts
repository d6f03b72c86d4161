import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Metafile } from 'esbuild';
import { type Built, readContents } from '../../../lib/lambda/shipped-packages.ts';

const imports = (...paths: string[]): Metafile['inputs'][string] => ({
  bytes: 1,
  imports: paths.map((path) => ({ path, kind: 'import-statement' as const })),
});

const output = (inputs: Readonly<Record<string, number>>): Metafile['outputs'][string] => ({
  bytes: 1,
  imports: [],
  exports: [],
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
  ),
});

const METAFILE: Metafile = {
  inputs: {
    'functions/one.ts': imports('node_modules/@scope/outer/index.js'),
    'node_modules/@scope/outer/index.js': imports('node_modules/@scope/outer/main.js'),
    'node_modules/@scope/outer/main.js': imports(
      'node_modules/@scope/outer/node_modules/inner/index.js',
      'node_modules/dropped/index.js',
    ),
    'node_modules/@scope/outer/node_modules/inner/index.js': imports(),
    'node_modules/dropped/index.js': imports(),
  },
  outputs: {
    'out/one/index.mjs': output({
      'functions/one.ts': 10,
      'node_modules/@scope/outer/index.js': 0,
      'node_modules/@scope/outer/main.js': 5,
      'node_modules/@scope/outer/node_modules/inner/index.js': 5,
      'node_modules/dropped/index.js': 0,
    }),
    'out/two/index.mjs': output({ 'functions/two.ts': 10 }),
  },
};

const OUTER = 'node_modules/@scope/outer';
const INNER = `${OUTER}/node_modules/inner`;

describe('the list of bundle contents', () => {
  const functions: Built = { metafile: METAFILE, bundleName: (path) => path.split('/')[1] ?? '' };
  const contents = readContents([functions]);

  test('lists the packages with code in each bundle', () => {
    assert.deepEqual(contents.bundles, { one: [OUTER, INNER], two: [] });
  });

  test('lists the shipped packages that each package imports', () => {
    assert.deepEqual(contents.imports, { [OUTER]: [INNER], [INNER]: [] });
  });

  test('has the packages of all builds of a bundle', () => {
    const metafile = { inputs: {}, outputs: { 'thread.mjs': output({ [`${INNER}/index.js`]: 5 }) } };
    const threads = ['two', 'one'].map((name) => ({ metafile, bundleName: () => name }));
    const { bundles } = readContents([functions, ...threads]);
    assert.deepEqual(bundles, { one: [OUTER, INNER], two: [INNER] });
  });

  test('has one path for a package that two builds reach from different folders', () => {
    const metafile = {
      inputs: { '../node_modules/@scope/outer/main.js': imports() },
      outputs: { 'main.js': output({ '../node_modules/@scope/outer/main.js': 5 }) },
    };
    assert.deepEqual(readContents([functions, { metafile, bundleName: () => 'console' }]), {
      bundles: { one: [OUTER, INNER], two: [], console: [OUTER] },
      imports: { [OUTER]: [INNER], [INNER]: [] },
    });
  });
});
