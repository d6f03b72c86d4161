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
  new Promise<RenderOutcome>((resolve) => {
    child.once('message', (message: RenderOutcome) => resolve(message));
    child.once('error', (error) => resolve({ outcome: 'failed', message: error.message }));
    child.once('exit', (code, signal) =>
      resolve({ outcome: 'failed', message: `renderer ended: ${signal ?? code}` }),
    );
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

  const run = async (job: RenderJob): Promise<RenderOutcome> => {
    await turn(job.kind);
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
