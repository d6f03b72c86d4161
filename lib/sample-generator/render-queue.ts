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

/** A started renderer takes its next job in a third of the time; after this long without one it ends. */
const IDLE_MILLISECONDS = 5000;

const nextOutcome = (child: ChildProcess, job: RenderJob) =>
  new Promise<RenderOutcome | undefined>((resolve) => {
    const settle = (outcome?: RenderOutcome) => {
      child.off('message', settle).off('error', fail).off('exit', fail);
      resolve(outcome);
    };
    const fail = () => settle();
    child.on('message', settle).on('error', fail).on('exit', fail);
    child.send(job, (error) => error && fail());
  });

/** A picture from outside may have done anything to the process that decoded it. */
const readsPictures = (job: RenderJob): boolean =>
  job.references.length > 0 || (job.kind === 'video' && (job.first !== undefined || job.last !== undefined));

/** Renders in child processes: whatever a decoder or encoder does to one, the server and the other jobs are untouched. */
export const renderQueue = (): RenderQueue => {
  const children = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const limits = { video: concurrencyLimit(VIDEOS_AT_ONCE), image: concurrencyLimit(1) };
  let closed = false;

  const end = (child: ChildProcess): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    children.delete(child);
    child.kill('SIGKILL');
  };

  const start = (): ChildProcess => {
    const child = fork(CHILD, {
      execArgv: [],
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    children.add(child);
    child.on('exit', () => end(child)).on('error', () => end(child));
    return child;
  };

  const take = (): ChildProcess => {
    const [child] = idle.keys();
    if (child === undefined) return start();
    clearTimeout(idle.get(child));
    idle.delete(child);
    child.ref();
    child.channel?.ref();
    return child;
  };

  /** An idle renderer does not keep its parent running. */
  const keep = (child: ChildProcess): void => {
    child.unref();
    child.channel?.unref();
    const timer = setTimeout(() => end(child), IDLE_MILLISECONDS);
    idle.set(child, timer.unref());
  };

  const attempt = async (job: RenderJob): Promise<RenderOutcome | undefined> => {
    if (closed) return { outcome: 'failed', message: 'the sample generator is closed' };
    const child = take();
    const outcome = await nextOutcome(child, job);
    if (outcome?.outcome !== 'rendered' || closed || readsPictures(job)) end(child);
    else keep(child);
    return outcome;
  };

  const run = (job: RenderJob) =>
    limits[job.kind](async (): Promise<RenderOutcome> => {
      // A process that died without an answer may have been ended from outside: the job gets a second chance.
      const outcome = (await attempt(job)) ?? (await attempt(job));
      return outcome ?? { outcome: 'failed', message: 'the renderer ended before it was done' };
    });
  const close = () => {
    closed = true;
    for (const child of children) end(child);
  };
  return { run, close };
};
