import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LocalCloudError } from '../errors.ts';
import { type CloudAccess, type FunctionDefinition, functionEnvironment } from './definition.ts';
import { FunctionProcess, type StartChild, type TakeChunk } from './function-process.ts';
import {
  type Call,
  type InvocationRecord,
  InvocationRecords,
  invocationsIn,
  invokeInProcess,
  readLineage,
  responseTooLarge,
} from './invocation.ts';
import { ProcessPool } from './process-pool.ts';

/** AWS requires this many unreserved executions. */
const MIN_UNRESERVED = 100;

type Limited = Pick<FunctionDefinition, 'logicalId' | 'reservedConcurrency'>;

type Pool = { readonly limit: number; running: number };

/** Counts the account's concurrent executions. Functions without a reservation share the rest of the quota. */
export class AccountConcurrency {
  readonly #shared: Pool;
  readonly #reserved: ReadonlyMap<string, Pool>;
  readonly #throttles = new Map<string, number>();

  constructor(quota: number, functions: readonly Limited[]) {
    const reserved = functions.flatMap(({ logicalId, reservedConcurrency }) =>
      reservedConcurrency === undefined ? [] : [[logicalId, reservedConcurrency] as const],
    );
    const total = reserved.reduce((sum, [, limit]) => sum + limit, 0);
    if (total > 0 && quota - total < MIN_UNRESERVED) {
      throw new LocalCloudError(
        `ReservedConcurrentExecutions add up to ${total}, but ${MIN_UNRESERVED} of the account's ${quota} executions must stay unreserved.`,
      );
    }
    this.#shared = { limit: quota - total, running: 0 };
    this.#reserved = new Map(reserved.map(([logicalId, limit]) => [logicalId, { limit, running: 0 }]));
  }

  get running(): number {
    return [this.#shared, ...this.#reserved.values()].reduce((sum, pool) => sum + pool.running, 0);
  }

  /** Throttled invocations by function, like the metric Throttles. */
  get throttles(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#throttles);
  }

  /** Starts an execution and returns a function that ends it; undefined if Lambda would throttle it. */
  begin(functionId: string): (() => void) | undefined {
    const pool = this.#reserved.get(functionId) ?? this.#shared;
    if (pool.running >= pool.limit) {
      this.#throttles.set(functionId, (this.#throttles.get(functionId) ?? 0) + 1);
      return undefined;
    }
    pool.running += 1;
    return () => {
      pool.running -= 1;
    };
  }
}

const REQUEST_LIMIT = 6 * 1024 * 1024;
const RESPONSE_LIMIT = REQUEST_LIMIT + 100;
const STREAM_LIMIT = 200 * 1024 * 1024;
/** Lambda stops a chain of requests that invokes the same function this often. */
const RECURSION_LIMIT = 16;
/** More processes per function would slow the machine down; further executions wait. */
const MAX_PROCESSES = 10;
const IDLE_MILLISECONDS = 5 * 60 * 1000;
/** A process takes longer to start than most events take, and all of a core. */
const PATIENCE_MILLISECONDS = 250;
/** Of one function; other functions need the rest of the machine. */
const LOADING_LIMIT = Math.max(1, Math.floor(availableParallelism() / 2));

export type FunctionLog = {
  readonly functionId: string;
  readonly line: string;
};

export type HostSettings = {
  /** Fills the folder of a function's code before its first event; by default the folder is complete. */
  readonly loadCode?: (bundle: string) => Promise<void>;
  /** Runs a function's code; by default in a process. */
  readonly startChild?: StartChild;
  readonly onFunctionLog?: (log: FunctionLog) => void;
  readonly onInvocation?: (record: InvocationRecord) => void;
  /** Receives the logical id of a throttled function. */
  readonly onThrottle?: (functionId: string) => void;
};

type HostOptions = HostSettings & {
  readonly functions: readonly FunctionDefinition[];
  readonly access: CloudAccess;
  readonly runtimeFile: string;
  /** Concurrent executions of the account. */
  readonly concurrencyQuota: number;
};

export type InvocationResult =
  | { readonly type: 'response' | 'function-error'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'request-too-large' | 'throttled' };

type Event = Pick<Call, 'payload' | 'takeChunk' | 'onEnd' | 'cause'>;

type Hosted = {
  readonly definition: FunctionDefinition;
  readonly pool: ProcessPool<FunctionProcess>;
};

export class FunctionHost {
  readonly #options: HostOptions;
  readonly #hosted: ReadonlyMap<string, Hosted>;
  readonly #records: InvocationRecords;
  readonly #concurrency: AccountConcurrency;
  readonly #running = new Set<Promise<unknown>>();
  #closing = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#records = new InvocationRecords(options.onInvocation);
    this.#concurrency = new AccountConcurrency(options.concurrencyQuota, options.functions);
    this.#hosted = new Map(
      options.functions.map((definition) => [definition.logicalId, this.#host(definition)]),
    );
  }

  /** Returns the whole response, like Lambda's Invoke. */
  async invoke(
    functionId: string,
    payload: string,
    cause: readonly string[] = [],
  ): Promise<InvocationResult> {
    const chunks: Uint8Array[] = [];
    const takeChunk = async (chunk: Uint8Array) => void chunks.push(chunk);
    const result = await this.#invoke(functionId, { payload, takeChunk, onEnd: () => {}, cause });
    if (result.type !== 'response') return result;
    const whole = chunks.length > 0 ? Buffer.concat(chunks).toString() : result.payload;
    if (Buffer.byteLength(whole) <= RESPONSE_LIMIT) return { ...result, payload: whole };
    return { ...result, type: 'function-error', payload: responseTooLarge(RESPONSE_LIMIT) };
  }

  /** Streams the response, like Lambda's InvokeWithResponseStream: it is complete when the function ends its stream. */
  async stream(
    functionId: string,
    payload: string,
    takeChunk: TakeChunk,
    onEnd: () => void = () => {},
  ): Promise<InvocationResult> {
    let sent = 0;
    const result = await this.#invoke(functionId, {
      payload,
      takeChunk: async (chunk) => {
        sent += chunk.length;
        if (sent <= STREAM_LIMIT) await takeChunk(chunk);
      },
      onEnd: () => {
        if (sent <= STREAM_LIMIT) onEnd();
      },
      cause: [],
    });
    if (result.type === 'response' && sent === 0) await takeChunk(Buffer.from(result.payload));
    if (result.type !== 'response' || sent <= STREAM_LIMIT) return result;
    return { ...result, type: 'function-error', payload: responseTooLarge(STREAM_LIMIT) };
  }

  /** Whether Lambda would drop an event with this trace header as a recursive loop. */
  stopsLoop(functionId: string, traceHeader: string | undefined): boolean {
    const { definition } = this.#find(functionId);
    if (definition.allowsRecursion) return false;
    return invocationsIn(readLineage(traceHeader), definition.arn) >= RECURSION_LIMIT;
  }

  invocations(): readonly InvocationRecord[] {
    return this.#records.all();
  }

  executions(): number {
    return this.#concurrency.running;
  }

  throttles(): Readonly<Record<string, number>> {
    return this.#concurrency.throttles;
  }

  processes(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries([...this.#hosted].map(([functionId, { pool }]) => [functionId, pool.pids]));
  }

  /** The next event starts another process, as after a change to the function's code. */
  endProcesses(functionId: string): Promise<void> {
    return this.#find(functionId).pool.endProcesses();
  }

  /** Waits for running events up to the timeout, then kills all processes. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing = true;
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.allSettled([...this.#running]), timeout]);
    clearTimeout(timer);
    await Promise.all([...this.#hosted.values()].map(({ pool }) => pool.close()));
  }

  #host(definition: FunctionDefinition): Hosted {
    const { access, runtimeFile, onFunctionLog, startChild } = this.#options;
    const { logicalId: functionId, bundle, memoryMegabytes, reservedConcurrency } = definition;
    const environment = functionEnvironment(definition, access);
    const onLine = onFunctionLog && ((line: string) => onFunctionLog({ functionId, line }));
    const child = { runtimeFile, bundle, environment, memoryMegabytes, onLine };
    const start = () => new FunctionProcess(child, startChild);
    const limit = Math.min(reservedConcurrency ?? MAX_PROCESSES, MAX_PROCESSES);
    const pool = new ProcessPool({
      start,
      limit,
      idleMilliseconds: IDLE_MILLISECONDS,
      patienceMilliseconds: PATIENCE_MILLISECONDS,
      loadingLimit: LOADING_LIMIT,
    });
    return { definition, pool };
  }

  #find(functionId: string): Hosted {
    const hosted = this.#hosted.get(functionId);
    if (hosted === undefined) throw new LocalCloudError(`The template has no function ${functionId}.`);
    return hosted;
  }

  async #invoke(functionId: string, event: Event): Promise<InvocationResult> {
    const hosted = this.#find(functionId);
    if (Buffer.byteLength(event.payload) > REQUEST_LIMIT) return { type: 'request-too-large' };
    if (this.#closing) return { type: 'throttled' };
    const end = this.#concurrency.begin(functionId);
    if (end === undefined) {
      this.#options.onThrottle?.(functionId);
      return { type: 'throttled' };
    }
    const running = this.#run(hosted, event);
    this.#running.add(running);
    return running.finally(() => {
      end();
      this.#running.delete(running);
    });
  }

  /** The error of a function without code, as Lambda reports it. */
  async #loadCode({ logicalId: functionId, bundle }: FunctionDefinition): Promise<string | undefined> {
    const { loadCode, onFunctionLog } = this.#options;
    try {
      await loadCode?.(bundle);
      return undefined;
    } catch (error) {
      const errorMessage = `The code cannot be loaded: ${error}`;
      onFunctionLog?.({ functionId, line: errorMessage });
      return JSON.stringify({ errorType: 'Runtime.ImportModuleError', errorMessage });
    }
  }

  async #run({ definition, pool }: Hosted, event: Event): Promise<InvocationResult> {
    const requestId = randomUUID();
    const loadError = await this.#loadCode(definition);
    if (loadError !== undefined) return { type: 'function-error', requestId, payload: loadError };
    const process = await pool.acquire();
    const startedAt = Date.now();
    const answer = await invokeInProcess({ definition, process, requestId, ...event });
    if (answer === 'gone') {
      pool.discard(process);
      return this.#run({ definition, pool }, event);
    }
    if (answer.outcome === 'ok' || answer.outcome === 'error') pool.release(process);
    else pool.discard(process);
    this.#records.add({ functionId: definition.logicalId, requestId, startedAt }, answer);
    return {
      type: answer.outcome === 'ok' ? 'response' : 'function-error',
      requestId,
      payload: answer.payload,
    };
  }
}
