import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { FunctionDefinition } from './definition.ts';
import type { Failure, FunctionProcess, Invocation, TakeChunk } from './function-process.ts';

type InvocationOutcome = 'ok' | 'error' | 'timeout' | 'crash';

/** The contents of Lambda's REPORT line. */
export type InvocationRecord = {
  readonly functionId: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Time to load the bundle; 0 unless it is a cold start. */
  readonly initMilliseconds: number;
  readonly milliseconds: number;
  /** Includes the time to load the bundle, as on AWS. */
  readonly billedMilliseconds: number;
  readonly maxMemoryMegabytes: number;
  readonly outcome: InvocationOutcome;
  /** Why it failed, without any data from the request. */
  readonly reason: string | undefined;
};

/** How one invocation ended. */
type InvocationAnswer = Pick<
  InvocationRecord,
  'initMilliseconds' | 'milliseconds' | 'maxMemoryMegabytes' | 'outcome'
> & {
  readonly payload: string;
};

/** Error payloads that Lambda itself returns. */
const errorPayload = (errorType: string, errorMessage: string) => JSON.stringify({ errorType, errorMessage });

const timedOut = (requestId: string, seconds: number) =>
  errorPayload(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  );

const exited = (requestId: string, status: string) =>
  errorPayload('Runtime.ExitError', `RequestId: ${requestId} Error: Runtime exited with error: ${status}`);

export const responseTooLarge = (limit: number) =>
  errorPayload(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${limit} bytes).`,
  );

/** Lambda's limit for loading, before the function's timeout starts. */
const INIT_SECONDS = 10;

export type Call = {
  readonly definition: FunctionDefinition;
  readonly process: FunctionProcess;
  readonly requestId: string;
  readonly payload: string;
  readonly takeChunk: TakeChunk;
  /** Called when the function ends its stream, which may be before it returns. */
  readonly onEnd: () => void;
  /** Trace headers of the events that led to this invocation. */
  readonly cause: readonly string[];
};

/**
 * After any outcome but `ok` and `error` the process must not be reused. `gone` means that an idle process had exited
 * before it received the event, so another one can take it.
 */
export const invokeInProcess = async (call: Call): Promise<InvocationAnswer | 'gone'> => {
  const { definition, process } = call;
  const loaded = await within(INIT_SECONDS + definition.timeoutSeconds, process.loaded);
  if (loaded === 'late' || loaded.type !== 'ready')
    return unanswered(call, loaded, INIT_SECONDS + definition.timeoutSeconds);
  const wasIdle = process.used;
  const initMilliseconds = wasIdle ? 0 : loaded.initMilliseconds;
  const started = performance.now();
  const ending = await within(
    definition.timeoutSeconds,
    process.invoke(invocationMessage(call), call.takeChunk, call.onEnd),
  );
  if (ending === 'late' || ending.type !== 'done') {
    if (ending !== 'late' && wasIdle && !process.started) return 'gone';
    const measured = { initMilliseconds, milliseconds: performance.now() - started };
    return { ...unanswered(call, ending, definition.timeoutSeconds), ...measured };
  }
  const { payload = '', error, milliseconds, memoryMegabytes } = ending;
  const own = { initMilliseconds, milliseconds, maxMemoryMegabytes: memoryMegabytes };
  return error === undefined
    ? { ...own, outcome: 'ok', payload }
    : { ...own, outcome: 'error', payload: error };
};

const invocationMessage = ({ definition, requestId, payload, cause }: Call): Invocation => {
  const deadline = Date.now() + definition.timeoutSeconds * 1000;
  const traceId = traceHeader(definition.arn, cause);
  return { type: 'invoke', requestId, functionArn: definition.arn, payload, deadline, traceId };
};

const unanswered = ({ requestId }: Call, ending: Failure | 'late', seconds: number): InvocationAnswer => {
  const measured = { initMilliseconds: 0, milliseconds: 0, maxMemoryMegabytes: 0 };
  if (ending === 'late') return { ...measured, outcome: 'timeout', payload: timedOut(requestId, seconds) };
  const payload = ending.type === 'exited' ? exited(requestId, ending.status) : ending.error;
  return { ...measured, outcome: 'crash', payload };
};

const within = async <Value>(seconds: number, promise: Promise<Value>): Promise<Value | 'late'> => {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), seconds * 1000);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Invocations per function in one chain of requests, by the function's short hash. */
type Lineage = Readonly<Record<string, number>>;

const ENTRY = /^([0-9a-f]{1,16}):(\d{1,5})$/;

const readFields = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header.split(';').map((field) => {
      const [name = '', value = ''] = field.trim().split('=');
      return [name.toLowerCase(), value] as const;
    }),
  );

/** Lambda appends `Lineage=a87bd80c:1|68fd508a:5` to the X-Ray header. */
export const readLineage = (header: string | undefined): Lineage => {
  const entries = (readFields(header ?? '').get('lineage') ?? '').split('|').flatMap((text) => {
    const [, hash, count] = ENTRY.exec(text) ?? [];
    return hash === undefined ? [] : [[hash, Number(count)] as const];
  });
  return Object.fromEntries(entries);
};

const shortHash = (functionArn: string): string =>
  createHash('sha256').update(functionArn).digest('hex').slice(0, 8);

export const invocationsIn = (lineage: Lineage, functionArn: string): number =>
  lineage[shortHash(functionArn)] ?? 0;

/** The trace header of an invocation continues the chains that led to it and counts this invocation. */
export const traceHeader = (functionArn: string, cause: readonly string[] = []): string => {
  const counts: Record<string, number> = {};
  for (const lineage of cause.map(readLineage)) {
    for (const [hash, count] of Object.entries(lineage)) counts[hash] = Math.max(counts[hash] ?? 0, count);
  }
  const own = shortHash(functionArn);
  counts[own] = (counts[own] ?? 0) + 1;
  const [root = newRoot()] = cause.flatMap((header) => readFields(header).get('root') ?? []);
  const lineage = Object.entries(counts).map(([hash, count]) => `${hash}:${count}`);
  return `Root=${root};Parent=${hex(8)};Sampled=0;Lineage=${lineage.join('|')}`;
};

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

const newRoot = (): string => `1-${Math.floor(Date.now() / 1000).toString(16)}-${hex(12)}`;

const MAX_RECORDS = 20_000;

const errorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });

/** The message of a thrown error may contain request data, so only its type is reported. */
const failureReason = (outcome: InvocationOutcome, payload: string): string | undefined => {
  if (outcome === 'ok') return undefined;
  const { errorType, errorMessage } = errorSchema.parse(JSON.parse(payload));
  return outcome === 'error' ? errorType : errorMessage.replace(/^RequestId: \S+ (Error: )?/, '');
};

type Invoked = Pick<InvocationRecord, 'functionId' | 'requestId' | 'startedAt'>;
/** The latest invocations of all functions. */
export class InvocationRecords {
  readonly #records: InvocationRecord[] = [];
  readonly #onRecord: ((record: InvocationRecord) => void) | undefined;

  constructor(onRecord: ((record: InvocationRecord) => void) | undefined) {
    this.#onRecord = onRecord;
  }

  all(): readonly InvocationRecord[] {
    return [...this.#records];
  }

  add(invoked: Invoked, answer: InvocationAnswer): void {
    const { initMilliseconds, milliseconds, maxMemoryMegabytes, outcome, payload } = answer;
    const billedMilliseconds = Math.ceil(initMilliseconds + milliseconds);
    const measured = { initMilliseconds, milliseconds, billedMilliseconds, maxMemoryMegabytes };
    const record = { ...invoked, ...measured, outcome, reason: failureReason(outcome, payload) };
    this.#records.push(record);
    if (this.#records.length > MAX_RECORDS) this.#records.shift();
    this.#onRecord?.(record);
  }
}
