import { randomUUID } from 'node:crypto';
import { LocalCloudError } from '../errors.ts';
import { type CloudAccess, type FunctionDefinition, functionEnvironment } from './definition.ts';
import { FunctionProcess, type TakeChunk } from './function-process.ts';
import {
  type Call,
  type InvocationRecord,
  InvocationRecords,
  invocationsIn,
  invokeInProcess,
  lineageOf,
  responseTooLarge,
} from './invocation.ts';
import { ProcessPool } from './process-pool.ts';

/** AWS refuses a reservation that leaves fewer executions to the functions without one. */
const LEAST_UNRESERVED = 100;

type Limited = Pick<FunctionDefinition, 'logicalId' | 'reservedConcurrency'>;

type Pool = { readonly limit: number; running: number };

/** Counts the concurrent executions of the whole account: reservations are taken out of the quota that the others share. */
export class AccountConcurrency {
  readonly #shared: Pool;
  readonly #reserved: ReadonlyMap<string, Pool>;
  readonly #throttles = new Map<string, number>();

  constructor(quota: number, functions: readonly Limited[]) {
    const reserved = functions.flatMap(({ logicalId, reservedConcurrency }) =>
      reservedConcurrency === undefined ? [] : [[logicalId, reservedConcurrency] as const],
    );
    const total = reserved.reduce((sum, [, limit]) => sum + limit, 0);
    if (total > 0 && quota - total < LEAST_UNRESERVED) {
      throw new LocalCloudError(
        `ReservedConcurrentExecutions come to ${total}: of the ${quota} executions of the account, ${LEAST_UNRESERVED} must stay for functions without a reservation.`,
      );
    }
    this.#shared = { limit: quota - total, running: 0 };
    this.#reserved = new Map(reserved.map(([logicalId, limit]) => [logicalId, { limit, running: 0 }]));
  }

  /** Executions under way. */
  get running(): number {
    return [this.#shared, ...this.#reserved.values()].reduce((sum, pool) => sum + pool.running, 0);
  }

  /** How many invocations of each function were turned away, as the metric Throttles tells. */
  get throttles(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#throttles);
  }

  /** Begins an execution and returns how to end it; undefined if Lambda would throttle it. */
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
/** Lambda stops a chain of requests that has come to the same function this often. */
const RECURSION_LIMIT = 16;
/** More processes of one function only slow one machine down; further executions wait for one of them. */
const MAX_PROCESSES = 10;
const IDLE_MILLISECONDS = 5 * 60 * 1000;

export type FunctionLog = {
  readonly functionId: string;
  readonly line: string;
};

type HostOptions = {
  readonly functions: readonly FunctionDefinition[];
  readonly access: CloudAccess;
  readonly runtimeFile: string;
  /** Functions that the account may run at once. */
  readonly concurrencyQuota: number;
  readonly onLog?: ((log: FunctionLog) => void) | undefined;
  readonly onInvocation?: ((record: InvocationRecord) => void) | undefined;
  readonly onThrottle?: ((functionId: string) => void) | undefined;
};

export type InvocationResult =
  | { readonly type: 'response' | 'function-error'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'request-too-large' | 'throttled' };

type Event = Pick<Call, 'payload' | 'takeChunk' | 'cause'>;

type Hosted = {
  readonly definition: FunctionDefinition;
  readonly pool: ProcessPool;
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

  /** Waits for the whole answer, as Lambda's Invoke does. */
  async invoke(
    functionId: string,
    payload: string,
    cause: readonly string[] = [],
  ): Promise<InvocationResult> {
    const chunks: Uint8Array[] = [];
    const takeChunk = async (chunk: Uint8Array) => void chunks.push(chunk);
    const result = await this.#invoke(functionId, payload, takeChunk, cause);
    if (result.type !== 'response') return result;
    const whole = chunks.length > 0 ? Buffer.concat(chunks).toString() : result.payload;
    if (Buffer.byteLength(whole) <= RESPONSE_LIMIT) return { ...result, payload: whole };
    return { ...result, type: 'function-error', payload: responseTooLarge(RESPONSE_LIMIT) };
  }

  /** Passes the answer on as it comes, as Lambda's InvokeWithResponseStream does. */
  async stream(functionId: string, payload: string, takeChunk: TakeChunk): Promise<InvocationResult> {
    let sent = 0;
    const result = await this.#invoke(functionId, payload, async (chunk) => {
      sent += chunk.length;
      if (sent <= STREAM_LIMIT) await takeChunk(chunk);
    });
    if (result.type === 'response' && sent === 0) await takeChunk(Buffer.from(result.payload));
    if (result.type !== 'response' || sent <= STREAM_LIMIT) return result;
    return { ...result, type: 'function-error', payload: responseTooLarge(STREAM_LIMIT) };
  }

  /** Whether Lambda would drop an event with this trace header instead of invoking the function once more. */
  stopsLoop(functionId: string, traceHeader: string | undefined): boolean {
    const { definition } = this.#find(functionId);
    if (definition.allowsRecursion) return false;
    return invocationsIn(lineageOf(traceHeader), definition.arn) >= RECURSION_LIMIT;
  }

  invocations(): readonly InvocationRecord[] {
    return this.#records.all();
  }

  /** Executions under way in the whole account. */
  executions(): number {
    return this.#concurrency.running;
  }

  throttles(): Readonly<Record<string, number>> {
    return this.#concurrency.throttles;
  }

  processes(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries([...this.#hosted].map(([functionId, { pool }]) => [functionId, pool.pids]));
  }

  /** Lets running events end for a moment, then ends every process. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing = true;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.allSettled([...this.#running]), enough]);
    clearTimeout(timer);
    await Promise.all([...this.#hosted.values()].map(({ pool }) => pool.close()));
  }

  #host(definition: FunctionDefinition): Hosted {
    const { access, runtimeFile, onLog } = this.#options;
    const { logicalId: functionId, bundle, memoryMegabytes, reservedConcurrency } = definition;
    const environment = functionEnvironment(definition, access);
    const onLine = (line: string) => onLog?.({ functionId, line });
    const start = () => new FunctionProcess({ runtimeFile, bundle, environment, memoryMegabytes, onLine });
    const limit = Math.min(reservedConcurrency ?? MAX_PROCESSES, MAX_PROCESSES);
    return { definition, pool: new ProcessPool({ start, limit, idleMilliseconds: IDLE_MILLISECONDS }) };
  }

  #find(functionId: string): Hosted {
    const hosted = this.#hosted.get(functionId);
    if (hosted === undefined) throw new LocalCloudError(`The template has no function ${functionId}.`);
    return hosted;
  }

  async #invoke(
    functionId: string,
    payload: string,
    takeChunk: TakeChunk,
    cause: readonly string[] = [],
  ): Promise<InvocationResult> {
    const hosted = this.#find(functionId);
    if (Buffer.byteLength(payload) > REQUEST_LIMIT) return { type: 'request-too-large' };
    if (this.#closing) return { type: 'throttled' };
    const end = this.#concurrency.begin(functionId);
    if (end === undefined) {
      this.#options.onThrottle?.(functionId);
      return { type: 'throttled' };
    }
    const running = this.#run(hosted, { payload, takeChunk, cause });
    this.#running.add(running);
    return running.finally(() => {
      end();
      this.#running.delete(running);
    });
  }

  async #run({ definition, pool }: Hosted, event: Event): Promise<InvocationResult> {
    const requestId = randomUUID();
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
