import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { PROJECT, splitCommands } from './documents.ts';

export type Ended = { readonly command: string; readonly output: string; readonly code: number };

type Options = {
  /** For the stand-in of the AWS CLI and for what commands write. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The values of placeholders such as `BASE_URL`, read before each command. */
  readonly placeholders: () => Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
};

/** Files and folders of the commands, which must not be written to the project. */
const FILES = /(?<![\w.-])(?:key\.txt|kept\.json|outputs\.json|policies)(?![\w-])/g;

/** The end of a question whether to go on. */
const QUESTION = /\(y\/n\) *$/;
const LONGEST_QUESTION = 100;

/** Commands ask nobody without a terminal. Each is told that it has one, since Node cannot open one. */
const HAS_TERMINAL = `--import=data:text/javascript,${encodeURIComponent(
  'for(const stream of [process.stdin,process.stdout])stream.isTTY=true;',
)}`;

/** Longer than any command takes, also on a busy machine. */
const LIMIT_MINUTES = 10;

/** The settings and credentials of whoever runs the rehearsal must not take part in it. */
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(?:AWS_|CDK_|MEDIA_GENERATION_)/.test(name) ? [] : [[name, value] as const],
    ),
  );

/** Answers the only question of a command; it would wait for more to read if its input did not end. */
const answerQuestion = ({ stdin, stdout }: ChildProcessWithoutNullStreams): void => {
  let printed = '';
  // A command may end before it reads the answer.
  stdin.on('error', () => {});
  stdout.on('data', (chunk: Buffer) => {
    printed = stripVTControlCharacters(printed + chunk.toString('utf8')).slice(-LONGEST_QUESTION);
    if (QUESTION.test(printed) && stdin.writable) stdin.end('y\n');
  });
};

/** Types commands one after another into a shell of the project's folder; exported variables stay. */
export class Shell {
  readonly #options: Options;
  #environment: Record<string, string>;

  constructor(options: Options) {
    this.#options = options;
    const { folder, environment } = options;
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, 'aws'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'aws.ts')}' "$@"\n`,
    );
    chmodSync(join(bin, 'aws'), 0o755);
    const own = inherited();
    const PATH = [bin, join(PROJECT, 'node_modules', '.bin'), own.PATH].join(delimiter);
    this.#environment = { ...own, ...environment, PATH, NODE_OPTIONS: HAS_TERMINAL };
  }

  /** Types each command of a script, and stops at the first that fails. */
  async type(script: string, read: (output: string) => void): Promise<readonly Ended[]> {
    const all: Ended[] = [];
    for (const command of splitCommands(script)) {
      const ended = await this.try(command);
      all.push(ended);
      read(ended.output);
      if (ended.code !== 0)
        throw new Error(`The command failed with ${ended.code}: ${command}\n${ended.output}`);
    }
    return all;
  }

  /** Sets variables as `export` would. */
  export(variables: Readonly<Record<string, string>>): void {
    this.#environment = { ...this.#environment, ...variables };
  }

  async try(documented: string): Promise<Ended> {
    const command = this.fill(documented);
    const started = performance.now();
    const kept = join(this.#options.folder, 'environment');
    const script = `${command}\nstatus=$?; env -0 > '${kept}'; exit $status`;
    const child = spawn('bash', ['-c', script], {
      cwd: PROJECT,
      env: this.#environment,
      stdio: 'pipe',
      // A group of its own, which ends with all its processes.
      detached: true,
    });
    const kill = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      kill();
    }, LIMIT_MINUTES * 60_000);
    process.once('exit', kill);
    answerQuestion(child);
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (status) => resolve(status ?? 1));
      }),
    ]);
    clearTimeout(deadline);
    process.off('exit', kill);
    if (isLate)
      throw new Error(
        `The command did not end within ${LIMIT_MINUTES} minutes: ${command}\n${output}${errors}`,
      );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    this.#options.print(`${seconds.padStart(5)} s  $ ${documented}`);
    const variables = readFileSync(kept, 'utf8').split('\0').filter(Boolean);
    this.#environment = Object.fromEntries(
      variables.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    return { command, code, output: output + errors };
  }

  /** Puts values in place of the placeholders, such as `BASE_URL`, but not of variables, such as `$BASE_URL`, and places files. */
  fill(documented: string): string {
    const values = this.#options.placeholders();
    const placed = documented.replace(FILES, (name) => join(this.#options.folder, name));
    return placed.replace(/(?<![$\w{])[A-Z][A-Z_]+[A-Z]\b/g, (name) =>
      Object.hasOwn(values, name) ? (values[name] ?? name) : name,
    );
  }
}
