import type { FunctionProcess } from './function-process.ts';

type PoolOptions = {
  readonly start: () => FunctionProcess;
  readonly limit: number;
  readonly idleMilliseconds: number;
  /** How long an event waits for a busy process before it starts another. */
  readonly patienceMilliseconds: number;
};

/** The processes of one function: reuses idle ones, starts more up to the limit, and ends those idle for long. */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<FunctionProcess>();
  readonly #idle = new Map<FunctionProcess, NodeJS.Timeout>();
  readonly #waiting: PromiseWithResolvers<FunctionProcess>[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get pids(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  async acquire(): Promise<FunctionProcess> {
    // The most recently used process is the likeliest to have warm caches.
    const warm = [...this.#idle.keys()].at(-1);
    if (warm !== undefined) {
      clearTimeout(this.#idle.get(warm));
      this.#idle.delete(warm);
      return warm;
    }
    if (this.#all.size === 0) return this.#start();
    const turn = Promise.withResolvers<FunctionProcess>();
    this.#waiting.push(turn);
    const lost = setTimeout(() => this.#startForNext(), this.#options.patienceMilliseconds);
    return turn.promise.finally(() => clearTimeout(lost));
  }

  release(process: FunctionProcess): void {
    if (!this.#all.has(process)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.resolve(process);
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
    for (const turn of this.#waiting.splice(0)) turn.reject(new Error('The local cloud is closing.'));
    const all = [...this.#all];
    for (const process of all) this.discard(process);
    await Promise.all(all.map(({ exited }) => exited));
  }

  #startForNext(): void {
    if (this.#all.size < this.#options.limit) this.#waiting.shift()?.resolve(this.#start());
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
    if (next !== undefined) next.resolve(this.#start());
  }
}
