import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const PROJECT = resolve(import.meta.dirname, '..', '..');

/**
 * Who may import whom; a layer may always import itself. `*` is any slice of `functions`, such as `functions/videos`.
 * The files at the root of a slice are its Lambdas and what they share: they put adapters and use cases together.
 */
const ALLOWED: Record<string, readonly string[]> = {
  'functions/platform/domain': [],
  'functions/platform': ['functions/platform/domain'],
  'functions/*/domain': ['functions/*/domain', 'functions/platform/domain'],
  'functions/*/usecases': ['functions/*/domain', 'functions/platform/domain'],
  'functions/*/api': ['functions/*/domain', 'functions/platform', 'functions/platform/domain'],
  'functions/*/adapters': ['functions/*/domain', 'functions/platform', 'functions/platform/domain'],
  'functions/*': [
    'functions/*',
    'functions/*/adapters',
    'functions/*/api',
    'functions/*/domain',
    'functions/*/usecases',
    'functions/platform',
    'functions/platform/domain',
  ],
  // The pages of the console check a form by the rules of the server; of the API they use the types.
  console: ['functions/*/api', 'functions/*/domain', 'functions/platform/domain'],
  'lib/sample-generator': [],
  'lib/smoke': [],
  'lib/local': ['lib/sample-generator'],
  // The operator commands write the items that the functions read.
  'lib/operator': [
    'functions/*/adapters',
    'functions/*/domain',
    'functions/platform',
    'functions/platform/domain',
  ],
  'lib/lambda': ['lib/config.ts', 'functions/platform'],
  'lib/resources': ['lib/concurrency.ts', 'lib/config.ts', 'lib/lambda'],
  // The features import the types of the Lambdas that they deploy, and the names of models, which are in routes.
  'lib/features': [
    'lib/lambda',
    'lib/resources',
    'functions/*',
    'functions/platform',
    'functions/platform/domain',
  ],
  'lib/monitoring': ['lib/config.ts', 'lib/resources', 'functions/platform'],
  'lib/concurrency.ts': [],
  'lib/config-schema.ts': ['lib/concurrency.ts'],
  // Aliases and prices must name models of the service.
  'lib/config.ts': [
    'lib/concurrency.ts',
    'lib/config-schema.ts',
    'functions/*/domain',
    'functions/platform/domain',
  ],
  lib: [
    'lib/config.ts',
    'lib/config-schema.ts',
    'lib/resources',
    'lib/features',
    'lib/lambda',
    'lib/monitoring',
    // The outputs show a currency only if there are prices.
    'functions/*/domain',
    'functions/platform',
  ],
  // The SBOM is made from the bundles.
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

/** `functions/videos/domain/task.ts` is in `functions/*\/domain`; the layers of platform are its folder `domain` and the rest. */
const layerOf = (file: string): string | undefined => {
  const [top, slice = '', layer = '', rest] = file.split('/');
  if (top === 'functions') {
    if (slice === 'platform') return layer === 'domain' ? 'functions/platform/domain' : 'functions/platform';
    return rest === undefined ? 'functions/*' : `functions/*/${layer}`;
  }
  return LAYERS.find((name) => file === name || file.startsWith(`${name}/`));
};
const LAYERS = Object.keys(ALLOWED).toSorted((one, other) => other.length - one.length);
const sliceOf = (file: string): string => file.split('/')[1] ?? '';

/** `import … from`, `export … from`, `import '…'` and `import('…')`. */
const IMPORT = /(?:(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?|\bimport\(\s*)'([^']+)'/g;

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

const readImports = (file: string): Import[] =>
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
    .flatMap(readImports);

const IMPORTS = importsIn('bin', 'lib', 'functions', 'console');
const IMPORTS_BY_FILE = Map.groupBy(IMPORTS, ({ from }) => from);

test('every import of ours goes along an allowed edge', () => {
  const wrong = IMPORTS.filter(({ to }) => layerOf(to) !== undefined).filter(({ from, to, typeOnly }) => {
    const source = layerOf(from) ?? '';
    const target = layerOf(to) ?? '';
    if (source.startsWith('lib') && target === 'functions/platform' && !typeOnly)
      return source !== 'lib/operator';
    const isSameSlice = from.startsWith('functions/') && sliceOf(from) === sliceOf(to);
    if (source === target && (isSameSlice || !from.startsWith('functions/'))) return false;
    return !ALLOWED[source]?.includes(target);
  });
  assert.deepEqual(wrong, []);
});

test('a feature deploys each Lambda with the type of its own file', () => {
  const wrong = readdirSync(join(PROJECT, 'lib/features')).flatMap((file) => {
    const text = readFileSync(join(PROJECT, 'lib/features', file), 'utf8');
    return Array.from(text.matchAll(/<typeof (\w+)>\(\s*'([\w-]+)'/g), ([, type = '', name = '']) => ({
      type,
      name,
    })).filter(
      ({ type, name }) => !new RegExp(`import type \\* as ${type} from '[./\\w-]+/${name}\\.ts'`).test(text),
    );
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

test('no files import each other in a cycle, whether statically, dynamically or for types', () => {
  const seen = new Set<string>();
  const circles = Array.from(IMPORTS_BY_FILE.keys(), (file) => circleFrom(file, [], seen));
  assert.deepEqual(
    circles.filter((circle) => circle.length > 0),
    [],
  );
});

test('only adapters and platform use the AWS SDK', () => {
  const wrong = IMPORTS.filter(({ to }) => to.startsWith('@aws-sdk/')).filter(
    ({ from, typeOnly }) =>
      from.startsWith('functions/') &&
      !['functions/*/adapters', 'functions/platform'].includes(layerOf(from) ?? '') &&
      !typeOnly,
  );
  assert.deepEqual(wrong, []);
});

test('no function imports CDK, and a domain imports nothing but Node and other domains', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) =>
      (from.startsWith('functions/') && to.startsWith('aws-cdk-lib')) ||
      (layerOf(from)?.endsWith('/domain') === true &&
        !to.startsWith('node:') &&
        !to.startsWith('functions/')),
  );
  assert.deepEqual(wrong, []);
});

test('of the functions, the console imports domain folders and the types of api folders', () => {
  const wrong = IMPORTS.filter(({ from, to }) => from.startsWith('console/') && to.startsWith('functions/'))
    .filter(({ to }) => !to.includes('/domain/'))
    .filter(({ to, typeOnly }) => !(typeOnly && to.includes('/api/')));
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
