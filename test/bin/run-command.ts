import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

const PROJECT = resolve(import.meta.dirname, '..', '..');

const OPERATOR_COMMANDS = ['accounts', 'audit', 'console', 'keys', 'people', 'upstreams', 'usage'] as const;
type OperatorCommand = (typeof OPERATOR_COMMANDS)[number];
type Command =
  | OperatorCommand
  | 'deploy'
  | 'execution-policy'
  | 'restore'
  | 'sample-generator'
  | 'sbom'
  | 'synth';

export const isOperatorCommand = (name: string): name is OperatorCommand =>
  OPERATOR_COMMANDS.some((command) => command === name);

type Environment = Readonly<Record<string, string>>;
type Ended = { readonly code: number; readonly output: string; readonly errors: string };

/** Runs a command in a process of its own, as npm does. */
export const spawnCommand = async (
  command: Command,
  args: readonly string[],
  environment: Environment = {},
): Promise<Ended> => {
  const child = spawn(process.execPath, [resolve(PROJECT, 'bin', `${command}.ts`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const [output, errors, code] = await Promise.all([
    Array.fromAsync(child.stdout.setEncoding('utf8')),
    Array.fromAsync(child.stderr.setEncoding('utf8')),
    new Promise<number>((ended) => child.once('close', (status) => ended(status ?? -1))),
  ]);
  return { code, output: output.join(''), errors: errors.join('') };
};

/** Runs until it ends with these arguments and variables, which it gives back afterwards. */
const withArguments = async (
  file: string,
  args: readonly string[],
  environment: Environment,
  run: () => Promise<void>,
): Promise<number> => {
  const { argv, exitCode, env } = process;
  process.argv = [process.execPath, file, ...args];
  process.env = { ...env, ...environment };
  process.exitCode = undefined;
  try {
    await run();
    return Number(process.exitCode ?? 0);
  } finally {
    process.argv = argv;
    process.env = env;
    process.exitCode = exitCode;
  }
};

let runs = 0;

/** Runs a file of the project in this process, a tenth of the work of starting one. It may write only with `console`. */
export const runFile = async (
  path: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<Ended> => {
  const file = resolve(PROJECT, path);
  const written = { log: '', error: '' };
  const capture = (kind: 'log' | 'error') =>
    mock.method(console, kind, (...parts: unknown[]) => {
      written[kind] += `${format(...parts)}\n`;
    });
  const captures = [capture('log'), capture('error')];
  runs += 1;
  try {
    // Another address makes Node run the module again, but not those that it imports.
    const run = () => import(`${pathToFileURL(file)}?run=${runs}`);
    const code = await withArguments(file, args, environment, run);
    return { code, output: written.log, errors: written.error };
  } finally {
    for (const { mock: captured } of captures) captured.restore();
  }
};

export const runCommand = (
  command: Command,
  args: readonly string[],
  environment?: Environment,
): Promise<Ended> => runFile(`bin/${command}.ts`, args, environment);
