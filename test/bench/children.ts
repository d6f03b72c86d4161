import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Functions that end the child processes when the bench exits. */
const endings = new Set<() => void>();
process.on('exit', () => {
  for (const end of endings) end();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

const endWithBench = (child: ChildProcess, end: () => void): void => {
  endings.add(end);
  child.once('exit', () => endings.delete(end));
};

type Run = {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of Node. */
  readonly flags?: readonly string[];
};

/** Runs a module in a fresh process and returns the one message that it sends. */
export const runChild = async (module: string, run: Run): Promise<unknown> => {
  const child = fork(module, [...run.arguments], {
    env: { ...run.environment },
    execArgv: [...(run.flags ?? [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  endWithBench(child, () => child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${module} ended with ${code} before it answered`);
  });
  // The exit after the answer is expected.
  exited.catch(() => {});
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message'), exited]);
    return message;
  } finally {
    child.kill('SIGKILL');
  }
};

const STOP_MILLISECONDS = 6000;

/** Starts a command in its own process group; `stop` ends the whole group. */
export const startGroup = (command: string, parameters: readonly string[]) => {
  const child = spawn(command, [...parameters], { detached: true, stdio: 'ignore' });
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The group has already ended.
    }
  };
  const exited = once(child, 'exit');
  endWithBench(child, () => signal('SIGKILL'));
  return {
    exited,
    stop: async (): Promise<void> => {
      signal('SIGINT');
      const impatience = setTimeout(() => signal('SIGKILL'), STOP_MILLISECONDS);
      if (child.exitCode === null && child.signalCode === null) await exited;
      clearTimeout(impatience);
      signal('SIGKILL');
    },
  };
};
