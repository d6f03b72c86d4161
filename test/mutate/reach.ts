import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Refusal } from '../../lib/command.ts';

export const PROJECT = resolve(import.meta.dirname, '..', '..');

const STATIC_IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/g;
const DYNAMIC_IMPORT = /\bimport\('(\.[^']+)'\)/g;

const directImports = (file: string): string[] => {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  return [...text.matchAll(STATIC_IMPORT), ...text.matchAll(DYNAMIC_IMPORT)]
    .map(([, to = '']) => join(dirname(file), to))
    .filter((to) => existsSync(join(PROJECT, to)));
};

/** The number of imports from a file to each file that it loads. */
const distances = (from: string): Map<string, number> => {
  const found = new Map([[from, 0]]);
  for (const [file, distance] of found)
    for (const next of directImports(file)) if (!found.has(next)) found.set(next, distance + 1);
  return found;
};

/** Returns the source files under files or folders of the project. */
export const sourceFiles = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const name = relative(PROJECT, resolve(PROJECT, path));
    if (name.startsWith('..') || !existsSync(join(PROJECT, name)))
      throw new Refusal(`${path} is not a file or folder of this project.`);
    return name.endsWith('.ts') ? [name] : globSync(`${name}/**/*.ts`, { cwd: PROJECT }).toSorted();
  });

/** Tests that synthesize the stack or run bundles are slow, and do not load the mutants. */
const isUnitTest = (reached: ReadonlyMap<string, number>): boolean =>
  ![...reached.keys()].some((file) => file.startsWith('lib/lambda/') || file === 'lib/stack.ts');

/** For each unit test, the number of imports to each file that it loads. */
export const readTests = (tests: string): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(
    globSync(tests, { cwd: PROJECT })
      .map((test) => [test, distances(test)] as const)
      .filter(([, reached]) => isUnitTest(reached)),
  );

/** The tests over HTTP of each slice, whose Lambdas no unit test loads: those that notice most changes, then others. */
const SERVICE_TESTS: Readonly<Record<string, readonly string[]>> = {
  agents: ['api/agents/**/*', 'clients/mcp'],
  billing: [
    'api/organization/charges api/organization/limits',
    'api/new-account api/nothing-unasked clients/console-programs',
  ],
  catalogue: ['spec/*', 'api/models api/offers api/options'],
  console: ['api/console/hosting api/console/sessions', 'api/offers'],
  files: ['api/files*', 'api/openapi/file-answers clients/google-files'],
  identity: [
    'api/organization/audit-logs api/organization/people api/console/keys api/console/openid api/console/sessions api/console/sign-in',
    'api/authentication api/console/revoked-credentials api/organization/audited-actions',
  ],
  images: [
    'api/images/images-api api/images/stored-images api/openapi/image-answers',
    'api/images/content-credentials api/images/failures api/images/limits applications/recorded clients/google-images clients/openai-images',
  ],
  library: ['api/library'],
  local: [
    'api/authentication api/cross-origin api/head api/native-paths api/odd-ids spec/*',
    'api/files api/videos api/images/limits',
  ],
  maintenance: ['api/upstreams faults/unreadable/unreadable-items'],
  models: ['api/models', 'api/offers api/retired-model'],
  openapi: [
    'api/openapi/answers api/openapi/refusals',
    'api/authentication api/head api/native-paths spec/endpoints',
  ],
  platform: ['spec/*', 'api/authentication api/cross-origin api/files api/head api/odd-ids api/videos'],
  shares: ['api/shares', 'api/openapi/share-answers'],
  upstream: ['api/omni api/upstream-kinds api/upstreams api/images/failures', 'spec/* api/images/images-api'],
  videos: [
    'api/videos api/cancel api/native-paths spec/endpoints',
    'api/delivered-videos api/filters api/listing api/options api/openapi/video-answers clients/google-videos spec/*',
  ],
  webhooks: ['api/webhooks/events api/webhooks/endpoints', 'api/openapi/webhook-answers'],
};

/** Those that notice changes to any slice: they read damaged items of every table, and inject every fault. */
const ITEM_TESTS = ['faults/unreadable/*'];
const FAULT_TESTS = ['faults/matrix simulation/*'];
/** The calls, logs, costs and permissions of all functions; it takes longest. */
const LAST_TESTS = ['api/observed'];

const findTests = (names: string): readonly string[] =>
  names.split(' ').flatMap((name) => {
    const found = globSync(`test/${name}.test.ts`, { cwd: PROJECT }).toSorted();
    if (found.length === 0) throw new Error(`no test is named ${name}`);
    return found;
  });

/** Returns the tests over HTTP that may notice a change to a file of a slice, in groups, the most likely first. */
export const serviceTests = (file: string): readonly (readonly string[])[] =>
  [
    ...(file.includes('/adapters/dynamo-') ? ITEM_TESTS : []),
    ...(/\/(domain|usecases)\//.test(file) ? FAULT_TESTS : []),
    ...(SERVICE_TESTS[file.split('/')[1] ?? ''] ?? []),
    ...LAST_TESTS,
  ].map(findTests);

const ownTest = (file: string): string => join('test', file.replace(/\.ts$/, '.test.ts'));

/** Compares the OpenAPI document, which consists of the formats in the `api` folders, with a list. */
const DOCUMENT_TEST = 'test/functions/openapi/operations.test.ts';

/** The test of the unit comes first, then those of its folder, which need no slow parts either. */
const closeness = (test: string, file: string): number => {
  if (test === ownTest(file)) return 0;
  if (test === DOCUMENT_TEST && dirname(file).endsWith('/api')) return 1;
  return dirname(test) === join('test', dirname(file)) ? 1 : 2;
};

/** Returns tests that load a file, beginning with those most likely to notice a change. */
export const nearestTests = (tests: ReturnType<typeof readTests>, file: string, count: number): string[] =>
  [...tests]
    .map(([test, reached]) => ({
      test,
      closeness: closeness(test, file),
      distance: reached.get(file) ?? Infinity,
      size: reached.size,
    }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted(
      (one, other) =>
        one.closeness - other.closeness ||
        one.distance - other.distance ||
        // A test that loads fewer files is more specific, and faster.
        one.size - other.size ||
        one.test.localeCompare(other.test),
    )
    .slice(0, count)
    .map(({ test }) => test);
