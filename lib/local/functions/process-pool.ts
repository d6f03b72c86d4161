import type { FunctionProcess } from './function-process.ts';

interface PoolOptions {
  readonly start: () => FunctionProcess;
  readonly limit: number;
  readonly idleMilliseconds: number;
}

/** The processes of one function: reused when free, more when busy, ended when idle for long. */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<FunctionProcess>();
  readonly #idle = new Map<FunctionProcess, NodeJS.Timeout>();
  readonly #waiting: ((process: FunctionProcess) => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get pids(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  get isFull(): boolean {
    return this.#idle.size === 0 && this.#all.size >= this.#options.limit;
  }

  async acquire(): Promise<FunctionProcess> {
    // The last one used is the likeliest to be warm in the caches.
    const warm = [...this.#idle.keys()].at(-1);
    if (warm !== undefined) {
      clearTimeout(this.#idle.get(warm));
      this.#idle.delete(warm);
      return warm;
    }
    if (this.#all.size < this.#options.limit) return this.#start();
    const { promise, resolve } = Promise.withResolvers<FunctionProcess>();
    this.#waiting.push(resolve);
    return promise;
  }

  release(process: FunctionProcess): void {
    if (!this.#all.has(process)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(process);
      return;
    }
    const end = setTimeout(() => this.discard(process), this.#options.idleMilliseconds);
    end.unref();
    this.#idle.set(process, end);
  }

  discard(process: FunctionProcess): void {
    process.kill();
    this.#forget(process);
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
    const all = [...this.#all];
    for (const process of all) this.discard(process);
    await Promise.all(all.map(({ exited }) => exited));
  }

  #start(): FunctionProcess {
    const process = this.#options.start();
    this.#all.add(process);
    process.exited.then(() => this.#forget(process));
    return process;
  }

  #forget(process: FunctionProcess): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    if (!this.#all.delete(process)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next(this.#start());
  }
}
