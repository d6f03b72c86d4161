import type { FunctionDefinition } from './definition.ts';
import { exited, timedOut } from './function-errors.ts';
import type { Failure, FunctionProcess, Invocation, TakeChunk } from './function-process.ts';
import type { InvocationOutcome } from './invocation-records.ts';
import { traceHeader } from './trace-header.ts';

/** Loading has its own time on Lambda, before the function's timeout begins. */
const INIT_SECONDS = 10;

type ProcessAnswer = {
  readonly outcome: InvocationOutcome;
  readonly payload: string;
  readonly initMilliseconds: number;
  readonly milliseconds: number;
  readonly maxMemoryMegabytes: number;
};

export type Call = {
  readonly definition: FunctionDefinition;
  readonly process: FunctionProcess;
  readonly requestId: string;
  readonly payload: string;
  readonly takeChunk: TakeChunk;
  /** Trace headers of what led to this invocation. */
  readonly cause: readonly string[];
};

/**
 * Any outcome but `ok` and `error` leaves a process that must not be used again. `gone` says that an idle process had
 * ended before the event reached it: another one can have the event.
 */
export const invokeInProcess = async (call: Call): Promise<ProcessAnswer | 'gone'> => {
  const { definition, process, requestId } = call;
  const loaded = await within(INIT_SECONDS + definition.timeoutSeconds, process.loaded);
  if (loaded === 'late' || loaded.type !== 'ready') return notLoaded(call, loaded);
  const wasIdle = process.used;
  const initMilliseconds = wasIdle ? 0 : loaded.initMilliseconds;
  const started = performance.now();
  const ending = await within(
    definition.timeoutSeconds,
    process.invoke(invocationMessage(call), call.takeChunk),
  );
  const measured = { initMilliseconds, milliseconds: performance.now() - started, maxMemoryMegabytes: 0 };
  if (ending === 'late') {
    const payload = timedOut(requestId, definition.timeoutSeconds);
    return { ...measured, outcome: 'timeout', payload };
  }
  if (ending.type !== 'done' && wasIdle && !process.started) return 'gone';
  if (ending.type !== 'done') return { ...measured, outcome: 'crash', payload: failure(requestId, ending) };
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

const notLoaded = ({ definition, requestId }: Call, ending: Failure | 'late'): ProcessAnswer => {
  const measured = { initMilliseconds: 0, milliseconds: 0, maxMemoryMegabytes: 0 };
  if (ending === 'late') {
    return {
      ...measured,
      outcome: 'timeout',
      payload: timedOut(requestId, INIT_SECONDS + definition.timeoutSeconds),
    };
  }
  return { ...measured, outcome: 'crash', payload: failure(requestId, ending) };
};

const failure = (requestId: string, ending: Failure): string =>
  ending.type === 'exited' ? exited(requestId, ending.status) : ending.error;

const within = async <Value>(seconds: number, promise: Promise<Value>): Promise<Value | 'late'> => {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), seconds * 1000);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
