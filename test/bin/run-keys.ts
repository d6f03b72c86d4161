import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '..', '..', 'bin');

/** Runs the key command, or another, as a person does. */
export const runKeys = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  command: 'keys' | 'console' = 'keys',
): Promise<{ code: number; output: string; errors: string }> => {
  const child = spawn(process.execPath, [resolve(BIN, `${command}.ts`), ...args], {
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
