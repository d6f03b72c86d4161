import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { prepareMutators, sampleMutants } from './prepare-mutators.ts';
import { nearestTests, PROJECT, readTests, sourceFiles } from './reach.ts';

const USAGE = `Changes the code in small ways and reports the changes that no test notices.

Usage: npm run mutate -- PATH [PATH...] [options]

  PATH             a file or folder, such as functions/videos/domain
  --min PERCENT    exit with 1 if a smaller share of the changes is detected (default 0)
  --sample N       try only N changes, chosen at random (default: all)
  --seed N         the seed of the sample (default 1)
  --tests GLOB     the tests to choose from (default test/functions/**/*.test.ts)
  --nearest N      for each file, run the N closest tests by imports (default 5)
  --concurrency N  concurrent test processes (default 2)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    min: { type: 'string', default: '0' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: 'test/functions/**/*.test.ts' },
    nearest: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

const readNumber = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`);
  return Number(text);
};

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** A change that stops the tests or prevents their start is detected. */
const isDetected = ({ status }: MutantResult): boolean =>
  status === 'Killed' || status === 'Timeout' || status === 'RuntimeError';

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
};

const originalText = ({ fileName, location: { start, end } }: MutantResult): string => {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  return lines
    .map((line, index) => (index === lines.length - 1 ? line.slice(0, end.column - 1) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column - 1) : line))
    .join('\n');
};

const describe = (mutant: MutantResult): string =>
  `  line ${mutant.location.start.line}, ${mutant.mutatorName}: ${shorten(originalText(mutant))} → ${shorten(mutant.replacement)}`;

const score = (results: readonly MutantResult[]): number =>
  results.length === 0 ? 100 : (100 * results.filter(isDetected).length) / results.length;

const report = (name: string, results: readonly MutantResult[]): void => {
  console.log(`${name}: ${score(results).toFixed(1)} % of ${results.length}`);
  for (const mutant of results) if (!isDetected(mutant)) console.log(describe(mutant));
};

const mutateFile = async (file: string, tests: readonly string[]): Promise<readonly MutantResult[]> => {
  const stryker = new Stryker({
    mutate: [file],
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: { testFiles: [...tests], nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'] },
    coverageAnalysis: 'perTest',
    concurrency: readNumber('concurrency', values.concurrency),
    timeoutMS: 2000,
    timeoutFactor: 3,
    // The mutants are tried in a copy of the project; the working tree is never changed.
    tempDirName: '.local/mutate',
    cleanTempDir: 'always',
    ignorePatterns: ['/.local', '/cdk.out', '/docs', '/console'],
    // Stryker cannot rewrite a configuration with TypeScript 7; the tests need none.
    tsconfigFile: 'none',
    reporters: ['progress-append-only'],
    allowEmpty: true,
  });
  const results = await stryker.runMutationTest();
  return results.filter(({ status }) => status !== 'Ignored');
};

const run = async (): Promise<void> => {
  if (values.help || positionals.length === 0) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const files = sourceFiles(positionals);
  const tests = readTests(values.tests);
  const least = readNumber('min', values.min);
  await prepareMutators();
  const sampled =
    values.sample === undefined
      ? files
      : await sampleMutants(files, readNumber('sample', values.sample), readNumber('seed', values.seed));
  const results: MutantResult[] = [];
  for (const file of sampled) {
    const nearest = nearestTests(tests, file, readNumber('nearest', values.nearest));
    if (nearest.length === 0) {
      console.log(`${file}: no unit test loads it`);
      continue;
    }
    const found = await mutateFile(file, nearest).catch((error: unknown) => {
      throw new Error(`${file} with ${nearest.join(', ')}`, { cause: error });
    });
    report(file, found);
    results.push(...found);
  }
  console.log(`All: ${score(results).toFixed(1)} % of ${results.length} changes are detected.`);
  if (score(results) < least) process.exitCode = 1;
};

const shareCompiledCode = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  process.env.NODE_COMPILE_CACHE = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
};

shareCompiledCode();
process.chdir(PROJECT);
await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
