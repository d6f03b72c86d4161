/**
 * Runs the tests: `node test/run.ts` all of them, `node test/run.ts quick` those that need no other process.
 *
 * A process takes half a second to load the SDK and the test's own modules, so the files of a group share one. Files
 * that are in no group run in a process of their own. Further arguments are passed on to `node --test`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files of a group run one after another in one process. The groups that take longest start first. */
const LONGEST = [
  'test/api/observed.test.ts',
  'test/browser/{*,console/{custom-domain,faults,images,keyboard,keys,library*,results,sign-in,uploads,webhooks}}.test.ts',
  'test/{api/{delivered-videos,library,listing,long-*,models,native-paths,nothing-unasked,odd-ids,options,shares,videos},spec/*}.test.ts',
  'test/{api/{agents/*,console/!(openid),images/*,organization/*},clients/*}.test.ts',
  'test/{api/console/openid,browser/console/{accessibility,audit,docs,foreign-origin,offers,people,player,sessions,shares,single-sign-on,usage,videos}}.test.ts',
  'test/{api/{authentication,cancel,content-credentials,cross-origin,files*,filters,head},api/{openapi,webhooks}/*,applications/*}.test.ts',
];

/** These mostly wait, so they run beside those that keep a core busy. */
const WAITING = [
  'test/lib/rehearsal/*.test.ts',
  'test/{faults/killed-{processes,webhook-workers},api/{features,new-account,offers,omni,upstreams,upstream-kinds},releases/upgrade}.test.ts',
  'test/faults/killed-service.test.ts',
  'test/faults/chained-services.test.ts',
  'test/api/retired-model.test.ts',
  'test/{bench,docs,github,mutate}/**/*.test.ts',
  'test/lib/local/**/*.test.ts',
];

const BUSY = [
  'test/{bin/*,lib/{*,deployment/*,evidence/*,lambda/*,operator/*,smoke/*,stack/*}}.test.ts',
  'test/{faults/{matrix,throttled-tables,unanswered-calls},lib/sample-generator/{images,modes,robustness}}.test.ts',
  'test/simulation/*.test.ts',
  'test/lib/sample-generator/!(images|modes|robustness).test.ts',
];

/** A quick test starts no emulator; all others of these folders do without a service, a browser and a synthesis. */
const isQuick = (file: string): boolean =>
  !/\/emulated\.ts'|emulators\/start\.ts'/.test(readFileSync(file, 'utf8'));

const find = (pattern: string): string[] => {
  const files = globSync(pattern).sort();
  if (files.length === 0) throw new Error(`no test file matches ${pattern}`);
  return files;
};

const isQuickRun = process.argv[2] === 'quick';
const options = process.argv.slice(isQuickRun ? 3 : 2);
const units = find('test/{functions,console}/**/*.test.ts');

/** Files of tests are in memory where 4 GB are free: a slow disk would keep the databases of all services waiting. */
const MEMORY = '/dev/shm';
const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
const place = bavail * bsize < 4_000_000_000 ? {} : { TMPDIR: MEMORY };

/** Compiled code is kept between runs. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...place, ...process.env };

const runNode = (flags: readonly string[], files: readonly string[]): number => {
  const args = ['--test', '--import', './test/support/untracked-promises.ts', ...flags, ...options, ...files];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  return status ?? 1;
};

/**
 * A file that cannot be loaded is a failed test with its reason; the others of its group still run. Tests wait until all
 * files are loaded: hooks of a file that is loaded while a test imports something would belong to that test.
 */
const importAll = (files: readonly string[]): string => {
  const toImport = (file: string): string =>
    `await import('${pathToFileURL(resolve(file))}').catch((error) => test('${file} is loaded', () => { throw error; }));`;
  const wait = ['const loaded = Promise.withResolvers();', 'before(() => loaded.promise);'];
  return [
    "import { flushCompileCache } from 'node:module';",
    "import { before, test } from 'node:test';",
    ...(files.length === 1 ? [] : wait),
    ...files.map(toImport),
    // For the processes that start before this one ends.
    'flushCompileCache();',
    ...(files.length === 1 ? [] : ['loaded.resolve();']),
  ].join('\n');
};

/** Runs each group in a process of its own. */
const runGroups = (flags: readonly string[], groups: readonly (readonly string[])[]): number => {
  const folder = mkdtempSync(join(tmpdir(), 'test-groups-'));
  for (const [index, files] of groups.entries()) {
    writeFileSync(join(folder, `${String(index).padStart(3, '0')}.test.mjs`), importAll(files));
  }
  try {
    return runNode(flags, [join(folder, '*.test.mjs')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** In as many processes as most machines have cores at least; neighbours in a folder take about the same time. */
const quickGroups = (): readonly (readonly string[])[] => {
  const files = units.filter(isQuick);
  return [0, 1].map((rest) => files.filter((_, index) => index % 2 === rest));
};

const runQuick = (): number => runGroups(['--test-concurrency=2', '--test-timeout=60000'], quickGroups());

const runAll = (): number => {
  const longest = LONGEST.map(find);
  const waiting = WAITING.map(find);
  const busy = [...BUSY.map(find), units.filter((file) => !isQuick(file))];
  const grouped = new Set([...longest, ...waiting, ...busy].flat());
  const alone = find('test/!(functions|console|structure)/**/*.test.ts').filter((file) => !grouped.has(file));
  const turns = Array.from({ length: Math.max(waiting.length, busy.length) }, (_, index) => index);
  const mixed = turns.flatMap((turn) => [waiting, busy].flatMap((groups) => groups.slice(turn, turn + 1)));
  const setup = '--test-global-setup=test/support/global-setup.ts';
  const flags = ['--test-concurrency=6', '--test-timeout=600000', setup];
  // Quick tests never wait, so they keep the cores busy until the end.
  return runGroups(flags, [...longest, ...mixed, ...alone.map((file) => [file]), ...quickGroups()]);
};

process.exitCode = isQuickRun ? runQuick() : runAll();
