import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';

/** Runs at most `limit` tasks at once; the others wait in order. */
export const concurrencyLimit = (limit: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // Hands the slot to the next task directly, so that no newcomer takes it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

const CHILD = fileURLToPath(new URL('./render/render.ts', import.meta.url));
const CORES = availableParallelism();

/** The children share this process's compile cache, since loading sources takes half the time of a small job. */
const environment = () => ({ NODE_COMPILE_CACHE: getCompileCacheDir(), ...process.env });

/** Videos take two cores each. One image at a time runs in addition, because its client is waiting. */
export const THREADS = Math.min(2, CORES);
const VIDEOS_AT_ONCE = Math.max(1, Math.floor(CORES / THREADS));

export type RenderQueue = { run(job: RenderJob): Promise<RenderOutcome>; close(): void };

/** A running renderer needs a third of the time for its next job, so it stays until a person has looked at this one. */
const IDLE_MILLISECONDS = 60_000;

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

/** Untrusted pictures may have corrupted the process that decoded them. */
const readsPictures = (job: RenderJob): boolean =>
  job.references.length > 0 || (job.kind === 'video' && (job.first !== undefined || job.last !== undefined));

/**
 * Renders in child processes, so that a crashing decoder or encoder affects only its own job. Tests trust the pictures
 * that they send: their process renders the next job too.
 */
export const renderQueue = (trustsPictures = false): RenderQueue => {
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

  /** An idle renderer does not keep the parent process alive. */
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
    const isSpent = readsPictures(job) && !trustsPictures;
    if (outcome?.outcome !== 'rendered' || closed || isSpent) end(child);
    else keep(child);
    return outcome;
  };

  const run = (job: RenderJob) =>
    limits[job.kind](async (): Promise<RenderOutcome> => {
      // A process that died silently may have been killed from outside, so the job is tried once more.
      const outcome = (await attempt(job)) ?? (await attempt(job));
      return outcome ?? { outcome: 'failed', message: 'the renderer exited before it finished' };
    });
  const close = () => {
    closed = true;
    for (const child of children) end(child);
  };
  return { run, close };
};
