import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RenderJob, RenderOutcome } from './render/render-job.ts';

const CHILD = fileURLToPath(new URL('./render/child.ts', import.meta.url));
const CORES = availableParallelism();

/** Each video takes two cores; one image at a time runs beside them, since somebody waits for it. */
export const THREADS = Math.min(2, CORES);
const LANES = { video: Math.max(1, Math.floor(CORES / THREADS)), image: 1 } as const;

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
  const running = { video: 0, image: 0 };
  const waiting: Record<RenderJob['kind'], (() => void)[]> = { video: [], image: [] };
  let closed = false;

  const turn = async (lane: RenderJob['kind']) => {
    if (running[lane] < LANES[lane]) running[lane] += 1;
    else await new Promise<void>((resolve) => waiting[lane].push(resolve));
  };
  const pass = (lane: RenderJob['kind']) => {
    const next = waiting[lane].shift();
    if (next === undefined) running[lane] -= 1;
    else next();
  };

  const attempt = async (job: RenderJob): Promise<RenderOutcome | undefined> => {
    if (closed) return { outcome: 'failed', message: 'the sample generator is closed' };
    const child = fork(CHILD, {
      cwd: job.folder,
      execArgv: [],
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
  const run = async (job: RenderJob): Promise<RenderOutcome> => {
    await turn(job.kind);
    try {
      // A process that died without a word may have been ended by somebody else: it gets a second chance.
      const outcome = (await attempt(job)) ?? (await attempt(job));
      return outcome ?? { outcome: 'failed', message: 'the renderer ended before it was done' };
    } finally {
      pass(job.kind);
    }
  };
  const close = () => {
    closed = true;
    for (const child of children) child.kill('SIGKILL');
    for (const lane of Object.values(waiting)) for (const resume of lane.splice(0)) resume();
  };
  return { run, close };
};
