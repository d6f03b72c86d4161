import type { FunctionProcess } from './function-process.ts';

type Pooled = Pick<FunctionProcess, 'loaded' | 'exited' | 'pid' | 'kill'>;

type PoolOptions<Process> = {
  readonly start: () => Process;
  readonly limit: number;
  readonly idleMilliseconds: number;
  /** How long an event waits at least for a busy process before it starts another. */
  readonly patienceMilliseconds: number;
  /** How many processes load at once: on a busy machine, one that is loading is ready sooner than another. */
  readonly loadingLimit: number;
};

/** The processes of one function: reuses idle ones, starts more up to the limit, and ends those idle for long. */
export class ProcessPool<Process extends Pooled> {
  readonly #options: PoolOptions<Process>;
  readonly #all = new Set<Process>();
  readonly #idle = new Map<Process, NodeJS.Timeout>();
  /** Busy processes that end after their event. */
  readonly #ending = new Set<Process>();
  readonly #waiting: PromiseWithResolvers<Process>[] = [];
  #loading = 0;
  /** Grows with the time that a process takes to load: on a busy machine, another one would not be ready sooner. */
  #patience: number;

  constructor(options: PoolOptions<Process>) {
    this.#options = options;
    this.#patience = options.patienceMilliseconds;
  }

  get pids(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  async acquire(): Promise<Process> {
    // The most recently used process is the likeliest to have warm caches.
    const warm = [...this.#idle.keys()].at(-1);
    if (warm !== undefined) {
      clearTimeout(this.#idle.get(warm));
      this.#idle.delete(warm);
      return warm;
    }
    if (this.#all.size === 0) return this.#start();
    const turn = Promise.withResolvers<Process>();
    this.#waiting.push(turn);
    const lost = setTimeout(() => this.#startForNext(), this.#patience);
    return turn.promise.finally(() => clearTimeout(lost));
  }

  release(process: Process): void {
    if (!this.#all.has(process)) return;
    if (this.#ending.has(process)) {
      this.discard(process);
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.resolve(process);
      return;
    }
    const end = setTimeout(() => this.discard(process), this.#options.idleMilliseconds);
    end.unref();
    this.#idle.set(process, end);
  }

  discard(process: Process): void {
    process.kill();
    this.#forget(process);
  }

  /** Ends all processes, each after its event: an event that a process has received is not lost. */
  async endProcesses(): Promise<void> {
    const all = [...this.#all];
    for (const process of all)
      if (this.#idle.has(process)) this.discard(process);
      else this.#ending.add(process);
    await Promise.all(all.map(({ exited }) => exited));
  }

  async close(): Promise<void> {
    for (const turn of this.#waiting.splice(0)) turn.reject(new Error('The local cloud is closing.'));
    const all = [...this.#all];
    for (const process of all) this.discard(process);
    await Promise.all(all.map(({ exited }) => exited));
  }

  #startForNext(): void {
    const { limit, loadingLimit } = this.#options;
    if (this.#loading >= loadingLimit || this.#all.size >= limit) return;
    this.#waiting.shift()?.resolve(this.#start());
  }

  #start(): Process {
    const process = this.#options.start();
    this.#all.add(process);
    this.#loading += 1;
    const started = performance.now();
    void process.loaded.then(() => {
      this.#loading -= 1;
      this.#patience = Math.max(this.#options.patienceMilliseconds, performance.now() - started);
      // Events that it does not handle soon need another one.
      setTimeout(() => this.#startForNext(), this.#patience).unref();
    });
    void process.exited.then(() => this.#forget(process));
    return process;
  }

  #forget(process: Process): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    this.#ending.delete(process);
    if (!this.#all.delete(process)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(this.#start());
  }
}
