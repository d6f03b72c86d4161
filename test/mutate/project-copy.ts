import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';
import { PROJECT } from './reach.ts';

/** Left out of a copy: large, and not read by tests. */
const NOT_COPIED = new Set(['node_modules', '.git', '.local', 'cdk.out']);

/** Milliseconds until a change that keeps tests from ending is detected, for the first test and for each further one. */
const TIME_LIMITS = { unit: [60_000, 15_000], service: [600_000, 0] } as const;
const NODE_OPTIONS = {
  unit: ['--test-isolation=none', '--import', './test/support/untracked-promises.ts'],
  service: ['--test-concurrency=2', '--test-global-setup=test/support/global-setup.ts'],
} as const;

const COMPILER_MILLISECONDS = 300_000;

export type TestKind = keyof typeof TIME_LIMITS;
export type Outcome = 'detected' | 'detected over HTTP' | 'does not compile' | 'missed';
type Ending = 'passed' | 'failed' | 'timed out';

/** The name of a changed file beside its original, where the compiler finds the same imports. */
const besideName = (file: string, index: number): string =>
  file.replace(/\.ts(x?)$/, `.mutant-${index}.ts$1`);

const COMPILER = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
const LINTER = join(PROJECT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
/** Finds a missing `await`. */
const LINT = ['lint', '--only=nursery/noFloatingPromises', '--vcs-enabled=false', '--max-diagnostics=none'];

const readOutput = (args: readonly string[], cwd: string): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  return stdout + stderr;
};

/** The code that imports changed files; tests that do not compile would fail as well. */
const COMPILED = ['bin', 'lib', 'functions'];

/** As Stryker's own check: code that a change leaves unused would only be untidy. */
const COMPILER_OPTIONS = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

const timeLimit = (kind: TestKind, tests: readonly string[]): number => {
  const [first, further] = TIME_LIMITS[kind];
  return first + further * Math.max(0, tests.length - 1);
};

/** The linter does not follow a link to a folder, and knows the types of packages only if it finds their files. */
const linkFiles = (from: string, to: string): void => {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [original, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(original, copy);
    else linkSync(original, copy);
  }
};

/** A copy of the project in which files are changed and tests run; the working tree is never changed. */
export class ProjectCopy {
  readonly #folder: string;
  #end = (): void => {};

  constructor() {
    const parent = join(PROJECT, '.local', 'mutate');
    mkdirSync(parent, { recursive: true });
    this.#folder = mkdtempSync(join(parent, 'copy-'));
    for (const name of readdirSync(PROJECT).filter((each) => !NOT_COPIED.has(each)))
      cpSync(join(PROJECT, name), join(this.#folder, name), { recursive: true });
    linkFiles(join(PROJECT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /**
   * Returns the changes that the compiler and the linter accept: a mistake that they report needs no test. One run checks
   * all of them, each in a file beside its original; errors in files that import it are not seen, see `compiles`.
   */
  keepCompiling(mutants: readonly Mutant[]): readonly Mutant[] {
    const files = mutants.map(({ file }, index) => besideName(file, index));
    for (const [index, mutant] of mutants.entries())
      writeFileSync(
        join(this.#folder, files[index] ?? ''),
        applyMutant(this.#read(mutant.file), mutant) ?? '',
      );
    const base = mutants.some(({ file }) => file.startsWith('console/'))
      ? './console/tsconfig.json'
      : './tsconfig.json';
    const project = join(this.#folder, 'tsconfig.mutants.json');
    writeFileSync(
      project,
      JSON.stringify({ extends: base, compilerOptions: COMPILER_OPTIONS, include: [], files }),
    );
    const problems =
      readOutput([COMPILER, '--noEmit', '--pretty', 'false', '--project', project], this.#folder) +
      readOutput([LINTER, ...LINT, ...files], this.#folder);
    for (const file of files) rmSync(join(this.#folder, file));
    const rejected = new Set(
      Array.from(problems.matchAll(/\.mutant-(\d+)\.tsx?[(:]/g), ([, index]) => Number(index)),
    );
    return mutants.filter(
      (mutant, index) => !rejected.has(index) && applyMutant(this.#read(mutant.file), mutant) !== undefined,
    );
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  #run(kind: TestKind, tests: readonly string[], limit: number): Promise<Ending> {
    return this.#runNode(['--test', ...NODE_OPTIONS[kind], ...tests], limit);
  }

  async #runNode(given: readonly string[], limit: number): Promise<Ending> {
    const child = spawn(process.execPath, given, {
      cwd: this.#folder,
      stdio: 'ignore',
      // A group of its own, so that the processes that tests start end with it.
      detached: true,
    });
    const ended = Promise.withResolvers<Ending>();
    child.on('error', ended.reject);
    child.on('exit', (code) => ended.resolve(code === 0 ? 'passed' : 'failed'));
    this.#end = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      ended.resolve('timed out');
      this.#end();
    }, limit);
    return ended.promise.finally(() => clearTimeout(timer));
  }

  /** Whether all tests of some files pass without a change. */
  async passes(kind: TestKind, tests: readonly string[], limit = timeLimit(kind, tests)): Promise<boolean> {
    return (await this.#run(kind, tests, limit)) === 'passed';
  }

  /** Runs tests with a change. */
  async tryMutant(mutant: Mutant, kind: TestKind, tests: readonly string[]): Promise<Ending> {
    if (tests.length === 0) return 'passed';
    return this.#withMutant(mutant, () => this.#run(kind, tests, timeLimit(kind, tests)));
  }

  /** Whether the files that import a changed one compile as well. */
  async compiles(mutant: Mutant): Promise<boolean> {
    const project = join(this.#folder, 'tsconfig.changed.json');
    const compilerOptions = {
      ...COMPILER_OPTIONS,
      incremental: true,
      tsBuildInfoFile: './changed.tsbuildinfo',
    };
    writeFileSync(
      project,
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: COMPILED }),
    );
    const compile = () => this.#runNode([COMPILER, '--project', project], COMPILER_MILLISECONDS);
    return (await this.#withMutant(mutant, compile)) !== 'failed';
  }

  async #withMutant(mutant: Mutant, run: () => Promise<Ending>): Promise<Ending> {
    const text = this.#read(mutant.file);
    const changed = applyMutant(text, mutant);
    if (changed === undefined) return 'passed';
    const path = join(this.#folder, mutant.file);
    writeFileSync(path, changed);
    try {
      return await run();
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Also ends the tests that still run in it. */
  remove(): void {
    this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
