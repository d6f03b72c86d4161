import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const PROJECT = resolve(import.meta.dirname, '..', '..');

/** The slices of `functions`. Each imports only those before it. */
const SLICES = [
  'platform',
  'catalogue',
  'identity',
  'billing',
  'files',
  'upstream',
  'webhooks',
  'images',
  'responses',
  'videos',
  'models',
  'google',
  'library',
  'shares',
  'agents',
  'console',
  'maintenance',
  'openapi',
];

/** The folders of the console, and the files beside them. Each imports only those before it. */
const CONSOLE = [
  'styles',
  'page-icons.mjs',
  'environment.ts',
  'texts',
  'api',
  'session',
  'parts',
  'people',
  'audit',
  'usage',
  'webhooks',
  'keys',
  'connect',
  'playground',
  'library',
  'images',
  'storyboard',
  'docs',
  'shell',
  'settings',
  'sign-in',
  'lazy-pages.ts',
  'lazy-page.tsx',
  'video',
  'signed-in.tsx',
  'main.tsx',
];

/**
 * The layers that each layer may import, besides itself. `*` is any slice of `functions`, such as `functions/videos`.
 * The files at the root of a slice are its Lambdas, which connect use cases and adapters.
 */
const ALLOWED: Record<string, readonly string[]> = {
  'functions/platform/domain': [],
  'functions/platform': ['functions/platform/domain'],
  'functions/*/domain': ['functions/*/domain', 'functions/*/kinds', 'functions/platform/domain'],
  // Declarations of the kinds of upstreams: their settings, models and capabilities, as data.
  'functions/*/kinds': ['functions/*/domain', 'functions/platform/domain'],
  'functions/*/usecases': ['functions/*/domain', 'functions/platform/domain'],
  'functions/*/api': ['functions/*/domain', 'functions/platform', 'functions/platform/domain'],
  'functions/*/adapters': [
    'functions/*/domain',
    'functions/*/kinds',
    'functions/platform',
    'functions/platform/domain',
  ],
  // Recognizes callers, for all Lambdas.
  'functions/*/authentication': [
    'functions/*/adapters',
    'functions/*/api',
    'functions/*/domain',
    'functions/platform',
    'functions/platform/domain',
  ],
  'functions/*': [
    'functions/*',
    'functions/*/adapters',
    'functions/*/authentication',
    'functions/*/api',
    'functions/*/domain',
    'functions/*/kinds',
    'functions/*/usecases',
    'functions/platform',
    'functions/platform/domain',
  ],
  // The console validates forms with the rules of the server, and uses the types of the API.
  console: ['functions/*/api', 'functions/*/domain', 'functions/platform/domain'],
  'lib/sample-generator': [],
  'lib/command.ts': [],
  'lib/smoke': ['lib/command.ts'],
  'lib/local': ['lib/command.ts', 'lib/sample-generator'],
  // Every kind of upstreams has a sample, which does not compile without it.
  'lib/local/start': ['lib/command.ts', 'lib/local', 'lib/sample-generator', 'functions/*/kinds'],
  // The operator commands write the items that the functions read by the same rules, and call upstreams as they do.
  'lib/operator': [
    'lib/command.ts',
    'functions/*',
    'functions/*/adapters',
    'functions/*/domain',
    'functions/*/kinds',
    'functions/*/usecases',
    'functions/platform',
    'functions/platform/domain',
  ],
  'lib/lambda': ['lib/config.ts', 'functions/platform'],
  'lib/resources': [
    'lib/concurrency.ts',
    'lib/config.ts',
    'lib/sign-in-schema.ts',
    'lib/lambda',
    // The declared endpoints.
    'functions/*/api',
    'functions/*/domain',
    'functions/platform',
    'functions/platform/domain',
  ],
  // Features import the types of their Lambdas, and the model names for routes.
  'lib/features': [
    'lib/concurrency.ts',
    'lib/lambda',
    'lib/resources',
    'functions/*',
    'functions/*/api',
    'functions/*/domain',
    'functions/platform',
  ],
  // Metrics by the families of the declared endpoints.
  'lib/monitoring': [
    'lib/config.ts',
    'lib/resources',
    'functions/*/api',
    'functions/platform/domain',
    'functions/platform',
  ],
  // The metrics of the functions are part of the cost.
  'lib/evidence': [
    'lib/config.ts',
    'lib/sign-in-schema.ts',
    'lib/local',
    'functions/platform/domain',
    'functions/platform',
  ],
  // The policies are derived from the template.
  'lib/deployment': ['lib/local'],
  // A stand-in of the upstream, and an account to deploy to.
  'lib/rehearsal': ['lib/local', 'lib/sample-generator'],
  'lib/cdk-context.ts': [],
  // The webhook worker belongs to a feature.
  'lib/concurrency.ts': ['functions/platform/domain'],
  'lib/regions.ts': [],
  'lib/config-schema.ts': [
    'lib/concurrency.ts',
    'lib/sign-in-schema.ts',
    'lib/upstream-schema.ts',
    'functions/platform/domain',
  ],
  // The setting has the fields of the kinds.
  'lib/upstream-schema.ts': ['functions/*/domain', 'functions/*/kinds', 'functions/platform/domain'],
  // The setting names roles.
  'lib/sign-in-schema.ts': ['functions/*/domain', 'functions/platform/domain'],
  // Aliases and prices refer to models.
  'lib/config.ts': [
    'lib/command.ts',
    'lib/concurrency.ts',
    'lib/config-schema.ts',
    'lib/regions.ts',
    'lib/upstream-schema.ts',
    'functions/*/domain',
    'functions/platform/domain',
  ],
  lib: [
    'lib/cdk-context.ts',
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
  // The SBOM lists the contents of the bundles.
  bin: [
    'lib',
    'lib/cdk-context.ts',
    'lib/command.ts',
    'lib/concurrency.ts',
    'lib/config.ts',
    'lib/deployment',
    'lib/evidence',
    'lib/operator',
    'lib/lambda',
    'lib/local',
    'lib/local/start',
    'lib/rehearsal',
    'lib/sample-generator',
    'lib/smoke',
  ],
};

/** `functions/videos/domain/task.ts` is in the layer `functions/*\/domain`. */
const findLayer = (file: string): string | undefined => {
  const [top, slice = '', layer = '', rest] = file.split('/');
  if (top === 'functions') {
    if (slice === 'platform') return layer === 'domain' ? 'functions/platform/domain' : 'functions/platform';
    // The folder of a kind has its declaration, and adapters.
    if (layer === 'kinds' && file.split('/').length > 4 && !file.endsWith('/declaration.ts'))
      return 'functions/*/adapters';
    return rest === undefined ? 'functions/*' : `functions/*/${layer}`;
  }
  return LAYERS.find((name) => file === name || file.startsWith(`${name}/`));
};
const LAYERS = Object.keys(ALLOWED).toSorted((one, other) => other.length - one.length);
const sliceName = (file: string): string => file.split('/')[1] ?? '';

/** `import … from`, `export … from`, `import '…'` and `import('…')`. */
const IMPORT = /(?:(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?|\bimport\(\s*)'([^']+)'/g;

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

const readFileImports = (file: string): Import[] =>
  Array.from(readFileSync(join(PROJECT, file), 'utf8').matchAll(IMPORT), ([, type, to = '']) => ({
    from: file,
    to: to.startsWith('.') ? relative(PROJECT, resolve(PROJECT, dirname(file), to)) : to,
    typeOnly: type !== undefined,
  }));

const readImports = (...folders: readonly string[]): Import[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
    .flatMap(readFileImports);

const IMPORTS = readImports('bin', 'lib', 'functions', 'console');
const IMPORTS_BY_FILE = Map.groupBy(IMPORTS, ({ from }) => from);

test('every layer imports only the layers that it may', () => {
  const wrong = IMPORTS.filter(({ to }) => findLayer(to) !== undefined).filter(({ from, to, typeOnly }) => {
    const source = findLayer(from) ?? '';
    const target = findLayer(to) ?? '';
    if (source.startsWith('lib') && target === 'functions/platform' && !typeOnly)
      return source !== 'lib/operator' && source !== 'lib/evidence';
    if (source === target) return false;
    return !ALLOWED[source]?.includes(target);
  });
  assert.deepEqual(wrong, []);
});

/** The imports within a folder that do not follow the order of its parts, types included. */
const importsAgainst = (folder: string, order: readonly string[]): readonly Import[] => {
  const position = (file: string): number => order.indexOf(sliceName(file));
  return IMPORTS.filter(
    ({ from, to }) =>
      from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`) && position(to) > position(from),
  );
};

test('every slice imports only the slices before it', () => {
  const unlisted = readdirSync(join(PROJECT, 'functions')).filter((slice) => !SLICES.includes(slice));
  assert.deepEqual(unlisted, []);
  assert.deepEqual(importsAgainst('functions', SLICES), []);
});

test('every folder of the console imports only the folders before it', () => {
  const sources = IMPORTS.flatMap(({ from, to }) => [from, to]).filter((file) => file.startsWith('console/'));
  assert.deepEqual(
    sources.filter((file) => !CONSOLE.includes(sliceName(file))),
    [],
  );
  assert.deepEqual(importsAgainst('console', CONSOLE), []);
});

test('a feature deploys each Lambda with the type of its file', () => {
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

test('every relative import names an existing file, with its extension', () => {
  const wrong = IMPORTS.filter(({ to }) => findLayer(to) !== undefined && !existsSync(join(PROJECT, to)));
  assert.deepEqual(wrong, []);
});

/** Returns the files of an import cycle through `file`, including type imports. */
const findCycle = (file: string, path: readonly string[], seen: Set<string>): readonly string[] => {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (seen.has(file)) return [];
  seen.add(file);
  for (const { to } of IMPORTS_BY_FILE.get(file) ?? []) {
    const cycle = findCycle(to, [...path, file], seen);
    if (cycle.length > 0) return cycle;
  }
  return [];
};

test('there are no import cycles, including dynamic and type imports', () => {
  const seen = new Set<string>();
  const cycles = Array.from(IMPORTS_BY_FILE.keys(), (file) => findCycle(file, [], seen));
  const found = cycles.filter((cycle) => cycle.length > 0);
  assert.deepEqual(found, []);
});

test('only adapters and platform use the AWS SDK', () => {
  const wrong = IMPORTS.filter(({ to }) => to.startsWith('@aws-sdk/')).filter(
    ({ from, typeOnly }) =>
      from.startsWith('functions/') &&
      !['functions/*/adapters', 'functions/platform'].includes(findLayer(from) ?? '') &&
      !typeOnly,
  );
  assert.deepEqual(wrong, []);
});

test('functions do not import CDK, and domains import only Node and other domains', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) =>
      (from.startsWith('functions/') && to.startsWith('aws-cdk-lib')) ||
      (findLayer(from)?.endsWith('/domain') === true &&
        !to.startsWith('node:') &&
        !to.startsWith('functions/')),
  );
  assert.deepEqual(wrong, []);
});

test('the console imports only domains and API types from functions', () => {
  const wrong = IMPORTS.filter(({ from, to }) => from.startsWith('console/') && to.startsWith('functions/'))
    .filter(({ to }) => !to.includes('/domain/'))
    .filter(({ to, typeOnly }) => !(typeOnly && to.includes('/api/')));
  assert.deepEqual(wrong, []);
});

test('the console imports no Node modules and no AWS SDK', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) => from.startsWith('console/') && (to.startsWith('node:') || to.startsWith('@aws-sdk/')),
  );
  assert.deepEqual(wrong, []);
});

test('the tests that run in one process start no service, browser or synthesis', () => {
  const imports = Map.groupBy([...IMPORTS, ...readImports('test')], ({ from }) => from);
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
  const slow = quick.filter((file) => heavy.some((each) => reach(file).has(each)));
  assert.deepEqual(slow, []);
});

test('no `describe` is asynchronous, because tests after its first `await` would not belong to it', () => {
  const asynchronous = /\bdescribe\((?:(?!=>|;\n).)*?\basync \(\) =>/s;
  const files = readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter(
      (file) => file.endsWith('.ts') && asynchronous.test(readFileSync(join(PROJECT, 'test', file), 'utf8')),
    ),
    [],
  );
});

test('the source files are found', () => {
  assert.ok(IMPORTS.length > 100);
});
