import { fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod';

/** Messages from the function's process to the host. */
const fromFunctionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), initMilliseconds: z.number() }),
  /** The event has arrived: exiting from now on is a crash. */
  z.object({ type: z.literal('started') }),
  /** The function has ended its stream, and may go on. */
  z.object({ type: z.literal('ended') }),
  z.object({ type: z.literal('chunk'), data: z.custom<Uint8Array>((data) => data instanceof Uint8Array) }),
  z.object({
    type: z.literal('done'),
    /** The JSON result of a handler that does not stream. */
    payload: z.string().optional(),
    error: z.string().optional(),
    milliseconds: z.number(),
    memoryMegabytes: z.number(),
  }),
  z.object({ type: z.literal('failed-to-load'), error: z.string() }),
]);

export type FromFunction = z.infer<typeof fromFunctionSchema>;

/** Messages from the host to the function's process. */
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

/** The variable that names a runtime that is built already. */
export const BUNDLED_RUNTIME = 'LOCAL_RUNTIME_BUNDLE';

/** Bundled into one JavaScript file, the runtime starts faster and needs less memory. */
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

export type ChildOptions = {
  readonly runtimeFile: string;
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  /** Undefined if nobody reads the lines that the function writes. */
  readonly onLine: ((line: string) => void) | undefined;
};

type ChildEvents = {
  readonly onMessage: (message: unknown) => void;
  readonly onExit: (status: string) => void;
};

type Child = {
  readonly pid: number | undefined;
  readonly send: (message: ToFunction) => void;
  readonly kill: () => void;
};

/** Runs a bundle, and passes its messages on. */
export type StartChild = (options: ChildOptions, events: ChildEvents) => Child;

const forkChild: StartChild = (
  { runtimeFile, bundle, environment, memoryMegabytes, onLine },
  { onMessage, onExit },
) => {
  const output = onLine === undefined ? 'ignore' : 'pipe';
  // All processes of a function share one compile cache.
  const child = fork(runtimeFile, [getCompileCacheDir() ?? ''], {
    cwd: bundle,
    env: { ...environment },
    execArgv: [`--max-old-space-size=${Math.floor(memoryMegabytes * 0.9)}`],
    serialization: 'advanced',
    stdio: ['ignore', output, output, 'ipc'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input !== null && onLine !== undefined) createInterface({ input }).on('line', onLine);
  }
  child.on('message', onMessage);
  child.on('error', (error) => onExit(error.message));
  child.on('exit', (code, signal) => onExit(signal === null ? `exit status ${code}` : `signal: ${signal}`));
  return {
    pid: child.pid,
    send: (message) => {
      // If the process has just exited, its exit event follows.
      if (child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill('SIGKILL'),
  };
};

export type Invocation = Extract<ToFunction, { type: 'invoke' }>;
type Message<Type> = Extract<FromFunction, { type: Type }>;
type Done = Message<'done'>;
type Ready = Message<'ready'>;
export type TakeChunk = (chunk: Uint8Array) => Promise<void>;

export type Failure = Message<'failed-to-load'> | { readonly type: 'exited'; readonly status: string };

/** A child process that handles one event at a time. */
export class FunctionProcess {
  readonly loaded: Promise<Ready | Failure>;
  readonly exited: Promise<Failure>;
  readonly #child: Child;
  #used = false;
  #started = false;
  #takeChunk: TakeChunk = async () => {};
  #onEnd: () => void = () => {};
  #done: (done: Done) => void = () => {};

  constructor(options: ChildOptions, startChild: StartChild = forkChild) {
    const loaded = Promise.withResolvers<Ready | Failure>();
    const exited = Promise.withResolvers<Failure>();
    this.loaded = loaded.promise;
    this.exited = exited.promise;
    const onMessage = (message: unknown) => {
      const { data: parsed } = fromFunctionSchema.safeParse(message);
      // The function's own code may send messages, too.
      if (parsed === undefined) return;
      if (parsed.type === 'ready' || parsed.type === 'failed-to-load') loaded.resolve(parsed);
      else if (parsed.type === 'done') this.#done(parsed);
      else if (parsed.type === 'started') this.#started = true;
      else if (parsed.type === 'ended') this.#onEnd();
      else this.#pass(parsed.data);
    };
    const onExit = (status: string) => {
      loaded.resolve({ type: 'exited', status });
      exited.resolve({ type: 'exited', status });
    };
    this.#child = startChild(options, { onMessage, onExit });
  }

  /** Whether it has handled an event before. */
  get used(): boolean {
    return this.#used;
  }

  /** Whether the last event reached the function's code. */
  get started(): boolean {
    return this.#started;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  invoke(
    invocation: Invocation,
    takeChunk: TakeChunk,
    onEnd: () => void = () => {},
  ): Promise<Done | Failure> {
    const { promise, resolve } = Promise.withResolvers<Done>();
    this.#used = true;
    this.#started = false;
    this.#takeChunk = takeChunk;
    this.#onEnd = onEnd;
    this.#done = resolve;
    this.#child.send(invocation);
    return Promise.race([promise, this.exited]);
  }

  kill(): void {
    this.#child.kill();
  }

  #pass(chunk: Uint8Array): void {
    this.#takeChunk(chunk).then(
      () => this.#child.send({ type: 'taken' }),
      () => this.#child.send({ type: 'taken' }),
    );
  }
}
