import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misuse, Refusal, readNumber, readOptions, runCommand } from '../../lib/command.ts';
import { drawSample, findMutants, type Mutant, prepareMutators } from './mutants.ts';
import { type Outcome, ProjectCopy, type TestKind } from './project-copy.ts';
import { nearestTests, PROJECT, readTests, serviceTests, sourceFiles } from './reach.ts';

const USAGE = `Changes the code in small ways and reports the changes that no test notices.

Usage: npm run mutate -- PATH [PATH...] [options]

  PATH             a file or folder, such as functions/videos/domain
  --min PERCENT    exit with 1 if a smaller share of the changes is detected (default 0)
  --sample N       try only N changes, chosen at random among those that compile (default: all)
  --seed N         the seed of the sample (default 1)
  --tests GLOB     the unit tests to choose from (default test/functions/**/*.test.ts)
  --nearest N      for each file, run the N closest unit tests by imports (default 24)
  --concurrency N  changes tried at the same time, each in its own copy of the project (default 2)`;

const OPTIONS = {
  min: { type: 'string', default: '0' },
  sample: { type: 'string' },
  seed: { type: 'string', default: '1' },
  tests: { type: 'string', default: 'test/functions/**/*.test.ts' },
  nearest: { type: 'string', default: '24' },
  concurrency: { type: 'string', default: '2' },
} as const;

const readSettings = (args: string[]) => {
  const { values, positionals } = readOptions({ args, allowPositionals: true, options: OPTIONS });
  if (positionals.length === 0) throw misuse('PATH is missing');
  return {
    paths: positionals,
    tests: values.tests,
    least: readNumber('min', values.min, 0, 100),
    sample: values.sample === undefined ? undefined : readNumber('sample', values.sample),
    seed: readNumber('seed', values.seed),
    nearest: readNumber('nearest', values.nearest),
    concurrency: readNumber('concurrency', values.concurrency, 1, 64),
  };
};
type Settings = ReturnType<typeof readSettings>;

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
};

const describe = ({ file, line, mutator, original, replacement }: Mutant): string =>
  `${file}:${line}, ${mutator}: ${shorten(original)} → ${shorten(replacement)}`;

/** A change and the tests that may notice it, over HTTP only if no unit test does. */
type Trial = {
  readonly mutant: Mutant;
  readonly unit: readonly string[];
  readonly service: readonly (readonly string[])[];
};

const planTrials = (mutants: readonly Mutant[], { tests, nearest }: Settings): readonly Trial[] => {
  const units = readTests(tests);
  const choices = Map.groupBy(mutants, ({ file }) => file)
    .entries()
    .flatMap(([file, found]) => {
      const unit = nearestTests(units, file, nearest);
      return found.map((mutant) => ({ mutant, unit, service: serviceTests(file) }));
    });
  return [...choices];
};

/** All chosen unit tests together take longer than those of one change. */
const BASELINE_MILLISECONDS = 15 * 60_000;

/** A test that fails without a change would detect every change. */
const requirePassing = async (copy: ProjectCopy, tests: readonly string[]): Promise<void> => {
  if (tests.length > 0 && !(await copy.passes('unit', tests, BASELINE_MILLISECONDS)))
    throw new Refusal(`Some of these tests fail without a change: ${tests.join(' ')}`);
};

/** Tests that are known to pass without a change, in time. */
const passing = new Set<string>();

const passWithoutChange = async (copy: ProjectCopy, kind: TestKind, tests: readonly string[]) => {
  const isPassing = passing.has(tests.join()) || (await copy.passes(kind, tests));
  if (isPassing) passing.add(tests.join());
  return isPassing;
};

/** Tests over HTTP may fail, and all tests end late, because the machine is busy: they must pass without the change, and fail again with it. */
const isDetected = async (copy: ProjectCopy, mutant: Mutant, kind: TestKind, tests: readonly string[]) => {
  const ending = await copy.tryMutant(mutant, kind, tests);
  if (ending === 'passed') return false;
  if (kind === 'unit' && ending === 'failed') return true;
  return (
    (await passWithoutChange(copy, kind, tests)) && (await copy.tryMutant(mutant, kind, tests)) !== 'passed'
  );
};

const runTrial = async (copy: ProjectCopy, { mutant, unit, service }: Trial): Promise<Outcome> => {
  // The first test alone detects most changes, and tests over HTTP take longest.
  for (const tests of [unit.slice(0, 1), unit.slice(1, 5), unit.slice(5)])
    if (await isDetected(copy, mutant, 'unit', tests)) return 'detected';
  if (!(await copy.compiles(mutant))) return 'does not compile';
  for (const tests of service)
    if (await isDetected(copy, mutant, 'service', tests)) return 'detected over HTTP';
  return 'missed';
};

/** Tries the changes one after another in each copy of the project, up to this number of those that compile. */
const runTrials = async (
  copies: readonly ProjectCopy[],
  trials: readonly Trial[],
  count: number,
): Promise<readonly Outcome[]> => {
  const units = [...new Set(trials.flatMap(({ unit }) => unit))];
  for (const copy of copies.slice(0, 1)) await requirePassing(copy, units);
  const outcomes: Outcome[] = [];
  const waiting = trials.values();
  let missing = count;
  const tryWaiting = async (copy: ProjectCopy): Promise<void> => {
    while (missing > 0) {
      const { value: trial } = waiting.next();
      if (trial === undefined) return;
      missing -= 1;
      const outcome = await runTrial(copy, trial);
      console.log(`${outcome}: ${describe(trial.mutant)}`);
      if (outcome === 'does not compile') missing += 1;
      else outcomes.push(outcome);
    }
  };
  await Promise.all(copies.map(tryWaiting));
  return outcomes;
};

/** The changes that the compiler checks in one run. */
const COMPILED_TOGETHER = 200;

/** Chooses a sample, followed by a tenth of it that replaces changes which do not compile after all. */
const chooseMutants = (
  copy: ProjectCopy,
  all: readonly Mutant[],
  { sample, seed }: Settings,
): readonly Mutant[] => {
  const order = sample === undefined ? all : drawSample(all, all.length, seed);
  const count = sample ?? all.length;
  const wanted = Math.ceil(count * 1.1);
  const chosen: Mutant[] = [];
  for (let start = 0; start < order.length && chosen.length < wanted; start += COMPILED_TOGETHER)
    chosen.push(...copy.keepCompiling(order.slice(start, start + COMPILED_TOGETHER)));
  return chosen.slice(0, wanted);
};

const makeCopies = (count: number): [ProjectCopy, ...ProjectCopy[]] => {
  const copies: [ProjectCopy, ...ProjectCopy[]] = [new ProjectCopy()];
  for (let made = 1; made < count; made += 1) copies.push(new ProjectCopy());
  process.once('exit', () => {
    for (const copy of copies) copy.remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return copies;
};

const run = async (settings: Settings): Promise<void> => {
  const files = sourceFiles(settings.paths);
  await prepareMutators();
  const all = await findMutants(files);
  const copies = makeCopies(settings.concurrency);
  const count = settings.sample ?? all.length;
  const chosen = chooseMutants(copies[0], all, settings);
  const trials = [
    ...planTrials(chosen.slice(0, count), settings),
    ...planTrials(chosen.slice(count), settings),
  ];
  const outcomes = await runTrials(copies, trials, count);
  const detected = outcomes.filter((outcome) => outcome !== 'missed').length;
  const score = outcomes.length === 0 ? 100 : (100 * detected) / outcomes.length;
  console.log(`${detected} of ${outcomes.length} changes are detected: ${score.toFixed(1)} %.`);
  if (score < settings.least) process.exitCode = 1;
};

const shareCompiledCode = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  process.env.NODE_COMPILE_CACHE = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
};

await runCommand(USAGE, async (args) => {
  const settings = readSettings(args);
  shareCompiledCode();
  process.chdir(PROJECT);
  await run(settings);
});
