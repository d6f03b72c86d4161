import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';

/** Lets `limit` tasks run at once; the others wait their turn, first come first served. */
export const concurrencyLimit = (limit: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

const CHILD = fileURLToPath(new URL('./render/child.ts', import.meta.url));
const CORES = availableParallelism();

/** Half of a small job is the reading of sources: where this process keeps compiled code, its children do too. */
const environment = () => ({ NODE_COMPILE_CACHE: getCompileCacheDir(), ...process.env });

/** Each video takes two cores; one image at a time runs beside them, since somebody waits for it. */
export const THREADS = Math.min(2, CORES);
const VIDEOS_AT_ONCE = Math.max(1, Math.floor(CORES / THREADS));

export type RenderQueue = { run(job: RenderJob): Promise<RenderOutcome>; close(): void };

const outcomeOf = (child: ChildProcess, job: RenderJob) =>
  new Promise<RenderOutcome | undefined>((resolve) => {
    child.once('message', (message: RenderOutcome) => resolve(message));
    child.once('error', () => resolve(undefined));
    child.once('exit', () => resolve(undefined));
    child.send(job);
  });

/** One process a job: whatever a decoder or encoder does to it, the server and the next job are untouched. */
export const renderQueue = (): RenderQueue => {
  const children = new Set<ChildProcess>();
  const limits = { video: concurrencyLimit(VIDEOS_AT_ONCE), image: concurrencyLimit(1) };
  let closed = false;

  const attempt = async (job: RenderJob): Promise<RenderOutcome | undefined> => {
    if (closed) return { outcome: 'failed', message: 'the sample generator is closed' };
    const child = fork(CHILD, {
      cwd: job.folder,
      execArgv: [],
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    children.add(child);
    try {
      return await outcomeOf(child, job);
    } finally {
      children.delete(child);
      child.kill('SIGKILL');
    }
  };

  const run = (job: RenderJob) =>
    limits[job.kind](async (): Promise<RenderOutcome> => {
      // A process that died without a word may have been ended by somebody else: it gets a second chance.
      const outcome = (await attempt(job)) ?? (await attempt(job));
      return outcome ?? { outcome: 'failed', message: 'the renderer ended before it was done' };
    });
  const close = () => {
    closed = true;
    for (const child of children) child.kill('SIGKILL');
  };
  return { run, close };
};
