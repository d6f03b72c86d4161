import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawSample, findMutants, type Mutant, prepareMutators } from './mutants.ts';
import { type Outcome, ProjectCopy } from './project-copy.ts';
import { nearestTests, ownTest, PROJECT, readTests, serviceTests, sourceFiles } from './reach.ts';

const USAGE = `Changes the code in small ways and reports the changes that no test notices.

Usage: npm run mutate -- PATH [PATH...] [options]

  PATH             a file or folder, such as functions/videos/domain
  --min PERCENT    exit with 1 if a smaller share of the changes is detected (default 0)
  --sample N       try only N changes, chosen at random (default: all)
  --seed N         the seed of the sample (default 1)
  --tests GLOB     the unit tests to choose from (default test/functions/**/*.test.ts)
  --nearest N      for each file, run the N closest unit tests by imports (default 5)
  --concurrency N  changes tried at the same time, each in its own copy of the project (default 2)`;

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
  readonly service: readonly string[];
};

/** Tests over HTTP take long, so a file with a unit test of its own is left to that. */
const planTrials = (mutants: readonly Mutant[]): readonly Trial[] => {
  const units = readTests(values.tests);
  const count = readNumber('nearest', values.nearest);
  const choices = Map.groupBy(mutants, ({ file }) => file)
    .entries()
    .flatMap(([file, found]) => {
      const unit = nearestTests(units, file, count);
      const service = unit.includes(ownTest(file)) ? [] : serviceTests(file);
      return found.map((mutant) => ({ mutant, unit, service }));
    });
  return [...choices];
};

/** All chosen unit tests together take longer than those of one change. */
const BASELINE_MILLISECONDS = 15 * 60_000;

/** A test that fails without a change would detect every change. */
const requirePassing = async (copy: ProjectCopy, tests: readonly string[]): Promise<void> => {
  if (tests.length > 0 && !(await copy.passes('unit', tests, BASELINE_MILLISECONDS)))
    throw new Error(`Some of these tests fail without a change: ${tests.join(' ')}`);
};

/** The tests over HTTP that have passed without a change. Only those that fail with a change need to. */
const passing = new Set<string>();

const runTrial = async (copy: ProjectCopy, { mutant, unit, service }: Trial): Promise<Outcome> => {
  // The first test alone detects most changes.
  for (const tests of [unit.slice(0, 1), unit.slice(1)]) {
    const outcome = await copy.tryMutant(mutant, 'unit', tests);
    if (outcome !== 'missed') return outcome;
  }
  const outcome = await copy.tryMutant(mutant, 'service', service);
  if (outcome !== 'detected' || passing.has(service.join())) return outcome;
  if (!(await copy.passes('service', service))) return 'missed';
  passing.add(service.join());
  return 'detected';
};

/** Tries the changes one after another in each copy of the project. */
const runTrials = async (trials: readonly Trial[]): Promise<readonly Outcome[]> => {
  const copies = Array.from(
    { length: readNumber('concurrency', values.concurrency) },
    () => new ProjectCopy(),
  );
  process.once('exit', () => {
    for (const copy of copies) copy.remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const units = [...new Set(trials.flatMap(({ unit }) => unit))];
  for (const copy of copies.slice(0, 1)) await requirePassing(copy, units);
  const outcomes: Outcome[] = [];
  const waiting = trials.values();
  const tryWaiting = async (copy: ProjectCopy): Promise<void> => {
    for (const trial of waiting) {
      const outcome = await runTrial(copy, trial);
      outcomes.push(outcome);
      console.log(`${outcome}: ${describe(trial.mutant)}`);
    }
  };
  await Promise.all(copies.map(tryWaiting));
  return outcomes;
};

const run = async (): Promise<void> => {
  if (values.help || positionals.length === 0) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const files = sourceFiles(positionals);
  const least = readNumber('min', values.min);
  await prepareMutators();
  const all = await findMutants(files);
  const tried =
    values.sample === undefined
      ? all
      : drawSample(all, readNumber('sample', values.sample), readNumber('seed', values.seed));
  const valid = (await runTrials(planTrials(tried))).filter((outcome) => outcome !== 'invalid');
  const detected = valid.filter((outcome) => outcome === 'detected').length;
  const score = valid.length === 0 ? 100 : (100 * detected) / valid.length;
  console.log(`${detected} of ${valid.length} changes are detected: ${score.toFixed(1)} %.`);
  if (score < least) process.exitCode = 1;
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
