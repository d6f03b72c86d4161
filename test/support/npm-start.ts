import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '..', '..');
const LAST_WORDS = 'Create a video';

/** `npm start` with empty data, or with that of an earlier start, and what it has printed when it is ready. */
export const npmStart = async (earlier?: string) => {
  const folder = earlier === undefined ? await mkdtemp(join(tmpdir(), 'npm-start-')) : dirname(earlier);
  const data = join(folder, 'data');
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => npm.once('exit', resolve));
  let printed = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes(LAST_WORDS)) break;
  }
  npm.stdout.resume();
  if (!printed.includes(LAST_WORDS)) throw new Error(`npm start has ended; it printed: ${printed}`);
  const stop = async (): Promise<void> => {
    npm.kill('SIGTERM');
    await exited;
  };
  return {
    printed,
    data,
    pid: npm.pid,
    stop,
    /** Stops it and removes its data. */
    close: async (): Promise<void> => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
