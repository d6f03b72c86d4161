import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const PROJECT = resolve(import.meta.dirname, '..', '..');

/** Who may import whom; a layer may always import itself. Types of `functions/runtime` are open to `lib`. */
const ALLOWED: Record<string, readonly string[]> = {
  'functions/domain': [],
  'functions/usecases': ['functions/domain'],
  'functions/api': ['functions/domain'],
  'functions/adapters': ['functions/domain'],
  'functions/runtime': ['functions/domain', 'functions/api'],
  'functions/composition': [
    'functions/adapters',
    'functions/api',
    'functions/domain',
    'functions/runtime',
    'functions/usecases',
  ],
  functions: [
    'functions/adapters',
    'functions/api',
    'functions/composition',
    'functions/domain',
    'functions/runtime',
    'functions/usecases',
  ],
  // The pages of the console know the rules, so that form and server refuse the same things.
  console: ['functions/domain'],
  'lib/sample-generator': [],
  'lib/smoke': [],
  'lib/local': ['lib/sample-generator'],
  // The operator commands write what the functions read.
  'lib/operator': ['functions/adapters', 'functions/domain'],
  'lib/lambda': ['lib/config.ts', 'functions/runtime'],
  'lib/resources': ['lib/concurrency.ts', 'lib/config.ts', 'lib/lambda'],
  // A route for each name of a video model.
  'lib/features': ['lib/lambda', 'lib/resources', 'functions/domain'],
  'lib/monitoring': ['lib/config.ts', 'lib/resources', 'functions/runtime'],
  'lib/concurrency.ts': [],
  'lib/config-schema.ts': ['lib/concurrency.ts'],
  // Aliases and prices must name models of the service.
  'lib/config.ts': ['lib/concurrency.ts', 'lib/config-schema.ts', 'functions/domain'],
  lib: [
    'lib/config.ts',
    'lib/config-schema.ts',
    'lib/resources',
    'lib/features',
    'lib/lambda',
    'lib/monitoring',
    'functions/domain',
    'functions/runtime',
  ],
  // The list of what is shipped is made from the bundles.
  bin: [
    'lib',
    'lib/config.ts',
    'lib/operator',
    'lib/lambda',
    'lib/local',
    'lib/sample-generator',
    'lib/smoke',
  ],
};

const LAYERS = Object.keys(ALLOWED).toSorted((one, other) => other.length - one.length);
const layerOf = (file: string): string | undefined =>
  LAYERS.find((layer) => file === layer || file.startsWith(`${layer}/`));

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g;

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

const importsOf = (file: string): Import[] =>
  Array.from(readFileSync(join(PROJECT, file), 'utf8').matchAll(IMPORT), ([, type, to = '']) => ({
    from: file,
    to: to.startsWith('.') ? relative(PROJECT, resolve(PROJECT, dirname(file), to)) : to,
    typeOnly: type !== undefined,
  }));

const importsIn = (...folders: readonly string[]): Import[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
    .flatMap(importsOf);

const IMPORTS = importsIn('bin', 'lib', 'functions', 'console');
const IMPORTS_BY_FILE = Map.groupBy(IMPORTS, ({ from }) => from);

test('every import of ours goes along an allowed edge', () => {
  const wrong = IMPORTS.filter(({ to }) => layerOf(to) !== undefined).filter(({ from, to, typeOnly }) => {
    const source = layerOf(from) ?? '';
    const target = layerOf(to) ?? '';
    if (source === target) return false;
    if (source.startsWith('lib') && target === 'functions/runtime' && !typeOnly) return true;
    return !ALLOWED[source]?.includes(target);
  });
  assert.deepEqual(wrong, []);
});

test('every import of ours names its file whole, as Node needs it', () => {
  const wrong = IMPORTS.filter(({ to }) => layerOf(to) !== undefined && !existsSync(join(PROJECT, to)));
  assert.deepEqual(wrong, []);
});

/** The files of a circle that begins and ends at `file`, type imports included. */
const circleFrom = (file: string, path: readonly string[], seen: Set<string>): readonly string[] => {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (seen.has(file)) return [];
  seen.add(file);
  for (const { to } of IMPORTS_BY_FILE.get(file) ?? []) {
    const circle = circleFrom(to, [...path, file], seen);
    if (circle.length > 0) return circle;
  }
  return [];
};

test('no files import each other in a circle, by types or otherwise', () => {
  const seen = new Set<string>();
  const circles = Array.from(IMPORTS_BY_FILE.keys(), (file) => circleFrom(file, [], seen));
  assert.deepEqual(
    circles.filter((circle) => circle.length > 0),
    [],
  );
});

test('only adapters and their compositions know the AWS SDK', () => {
  const wrong = IMPORTS.filter(({ to }) => to.startsWith('@aws-sdk/')).filter(
    ({ from, typeOnly }) =>
      from.startsWith('functions/') && !from.startsWith('functions/adapters/') && !typeOnly,
  );
  assert.deepEqual(wrong, []);
});

test('no file of the functions imports CDK, and the domain imports nothing but Node and itself', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) =>
      (from.startsWith('functions/') && to.startsWith('aws-cdk-lib')) ||
      (from.startsWith('functions/domain/') &&
        !to.startsWith('functions/domain/') &&
        !to.startsWith('node:')),
  );
  assert.deepEqual(wrong, []);
});

test('the console imports nothing that only Node or a server has', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) => from.startsWith('console/') && (to.startsWith('node:') || to.startsWith('@aws-sdk/')),
  );
  assert.deepEqual(wrong, []);
});

test('the tests that run in one process start no service, browser or synthesis', () => {
  const imports = Map.groupBy([...IMPORTS, ...importsIn('test')], ({ from }) => from);
  const reach = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const { to, typeOnly } of imports.get(file) ?? []) if (!typeOnly) reach(to, seen);
    return seen;
  };
  const heavy = ['test/support/shared.ts', 'test/support/service.ts', 'lib/local/cloud.ts', 'aws-cdk-lib'];
  const quick = Array.from(imports.keys()).filter((file) =>
    /^test\/(?:functions|console)\/.*\.test\.ts$/.test(file),
  );
  assert.ok(quick.length > 50);
  assert.deepEqual(
    quick.filter((file) => heavy.some((each) => reach(file).has(each))),
    [],
  );
});

test('the tree is read at all', () => {
  assert.ok(IMPORTS.length > 100);
});
