import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';
import { PROJECT } from './reach.ts';

/** Left out of a copy: large, and not read by tests. */
const NOT_COPIED = new Set(['node_modules', '.git', '.local', 'cdk.out']);

/** Milliseconds until a change that keeps tests from ending is detected. */
const TIME_LIMITS = { unit: 60_000, service: 300_000 } as const;
const NODE_OPTIONS = {
  unit: ['--test-isolation=none', '--import', './test/support/untracked-promises.ts'],
  service: ['--test-concurrency=2', '--test-global-setup=test/support/global-setup.ts'],
} as const;

export type TestKind = keyof typeof TIME_LIMITS;
export type Outcome = 'detected' | 'missed' | 'invalid';

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
    symlinkSync(join(PROJECT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** Whether all tests of some files pass. */
  async passes(
    kind: TestKind,
    tests: readonly string[],
    limit: number = TIME_LIMITS[kind],
  ): Promise<boolean> {
    const child = spawn(process.execPath, ['--test', ...NODE_OPTIONS[kind], ...tests], {
      cwd: this.#folder,
      stdio: 'ignore',
      // A group of its own, so that the processes that tests start end with it.
      detached: true,
    });
    const ended = Promise.withResolvers<boolean>();
    child.on('error', ended.reject);
    child.on('exit', (code) => ended.resolve(code === 0));
    this.#end = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(this.#end, limit);
    return ended.promise.finally(() => clearTimeout(timer));
  }

  /** Runs tests with a change. */
  async tryMutant(mutant: Mutant, kind: TestKind, tests: readonly string[]): Promise<Outcome> {
    const path = join(this.#folder, mutant.file);
    const text = readFileSync(path, 'utf8');
    const changed = applyMutant(text, mutant);
    if (changed === undefined) return 'invalid';
    if (tests.length === 0) return 'missed';
    writeFileSync(path, changed);
    try {
      return (await this.passes(kind, tests)) ? 'missed' : 'detected';
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
