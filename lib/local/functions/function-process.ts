import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod';

/** What the function's process tells the host. */
const fromFunctionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), initMilliseconds: z.number() }),
  /** It has the event: from here on an end is a crash. */
  z.object({ type: z.literal('started') }),
  z.object({ type: z.literal('chunk'), data: z.custom<Uint8Array>((data) => data instanceof Uint8Array) }),
  z.object({
    type: z.literal('done'),
    /** What a handler that does not stream returned, as JSON. */
    payload: z.string().optional(),
    error: z.string().optional(),
    milliseconds: z.number(),
    memoryMegabytes: z.number(),
  }),
  z.object({ type: z.literal('failed-to-load'), error: z.string() }),
]);

export type FromFunction = z.infer<typeof fromFunctionSchema>;

/** What the host tells the function's process. */
export type ToFunction =
  | {
      readonly type: 'invoke';
      readonly requestId: string;
      readonly functionArn: string;
      readonly payload: string;
      readonly deadline: number;
      readonly traceId: string;
    }
  | { readonly type: 'taken' };

/** One plain file: without types to strip, a function starts faster and takes less memory. */
export const buildRuntime = async (runtimeFile: string): Promise<void> => {
  await build({
    entryPoints: [fileURLToPath(new URL('./runtime.ts', import.meta.url))],
    outfile: runtimeFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
  });
};

type ProcessOptions = {
  readonly runtimeFile: string;
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly onLine: (line: string) => void;
};

export type Invocation = Extract<ToFunction, { type: 'invoke' }>;
type Done = Extract<FromFunction, { type: 'done' }>;
export type TakeChunk = (chunk: Uint8Array) => Promise<void>;

type Ready = {
  readonly type: 'ready';
  readonly initMilliseconds: number;
};

/** How a process can fail to answer. */
export type Failure =
  | { readonly type: 'failed-to-load'; readonly error: string }
  | { readonly type: 'exited'; readonly status: string };

/** One child process of one function; it answers one event at a time. */
export class FunctionProcess {
  readonly loaded: Promise<Ready | Failure>;
  readonly exited: Promise<Failure>;
  readonly #child: ChildProcess;
  #used = false;
  #started = false;
  #takeChunk: TakeChunk = async () => {};
  #done: (done: Done) => void = () => {};

  constructor({ runtimeFile, bundle, environment, memoryMegabytes, onLine }: ProcessOptions) {
    // A bundle is compiled once for all of its processes, where this one keeps compiled code.
    this.#child = fork(runtimeFile, [getCompileCacheDir() ?? ''], {
      cwd: bundle,
      env: { ...environment },
      execArgv: [`--max-old-space-size=${Math.floor(memoryMegabytes * 0.9)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output !== null) createInterface({ input: output }).on('line', onLine);
    }
    const loaded = Promise.withResolvers<Ready | Failure>();
    const exited = Promise.withResolvers<Failure>();
    this.loaded = loaded.promise;
    this.exited = exited.promise;
    this.#child.on('message', (message) => {
      const { data: told } = fromFunctionSchema.safeParse(message);
      // The function's own code may send what it likes.
      if (told === undefined) return;
      if (told.type === 'ready' || told.type === 'failed-to-load') loaded.resolve(told);
      else if (told.type === 'done') this.#done(told);
      else if (told.type === 'started') this.#started = true;
      else this.#pass(told.data);
    });
    const end = (status: string) => {
      loaded.resolve({ type: 'exited', status });
      exited.resolve({ type: 'exited', status });
    };
    this.#child.on('error', (error) => end(error.message));
    this.#child.on('exit', (code, signal) =>
      end(signal === null ? `exit status ${code}` : `signal: ${signal}`),
    );
  }

  /** Whether it has answered an event before: the first one pays for the loading. */
  get used(): boolean {
    return this.#used;
  }

  /** Whether the last event reached its code. */
  get started(): boolean {
    return this.#started;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  invoke(invocation: Invocation, takeChunk: TakeChunk): Promise<Done | Failure> {
    const { promise, resolve } = Promise.withResolvers<Done>();
    this.#used = true;
    this.#started = false;
    this.#takeChunk = takeChunk;
    this.#done = resolve;
    this.#tell(invocation);
    return Promise.race([promise, this.exited]);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #pass(chunk: Uint8Array): void {
    this.#takeChunk(chunk).then(
      () => this.#tell({ type: 'taken' }),
      () => this.#tell({ type: 'taken' }),
    );
  }

  #tell(message: ToFunction): void {
    // A process that has just gone reports itself through its exit.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}
