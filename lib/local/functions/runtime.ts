/** The process of one function: loads the bundle, then answers one event at a time. */
import { readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { FromFunction, ToFunction } from './function-process.ts';
import { awslambda, type Handler, loadHandler, openResponseStream } from './runtime-handler.ts';

type Invocation = Extract<ToFunction, { type: 'invoke' }>;

/** The last argument of a handler. */
const lambdaContext = ({ requestId, functionArn, deadline, traceId }: Invocation) => ({
  awsRequestId: requestId,
  clientContext: undefined,
  identity: undefined,
  tenantId: undefined,
  xRayTraceId: traceId,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
  invokedFunctionArn: functionArn,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => deadline - Date.now(),
});

let chunkTaken: () => void = () => {};

const tell = (message: FromFunction): void => {
  process.send?.(message);
};

const sendChunk = (data: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    chunkTaken = resolve;
    tell({ type: 'chunk', data });
  });

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

/** Over when the handler has returned and the host has taken the whole stream, whichever is later. */
const stream = async (handler: Handler, event: unknown, invocation: Invocation): Promise<void> => {
  const { stream: output, sent } = openResponseStream(sendChunk, handler.streaming);
  try {
    const result = handler.call(event, output, lambdaContext(invocation));
    if (!isPromise(result)) throw new Error('Streaming does not support non-async handlers.');
    if ((await result) !== undefined) console.warn('Streaming handlers ignore return values.');
  } catch (error) {
    const ended = output.writableEnded;
    output.end();
    await sent;
    if (!ended) throw error;
    // The answer is complete without the error, so that only the log has it.
    console.error(error);
  }
  await sent;
};

const answer = async (handler: Handler, invocation: Invocation): Promise<string | undefined> => {
  const event: unknown = JSON.parse(invocation.payload);
  if (handler.streaming !== undefined) {
    await stream(handler, event, invocation);
    return undefined;
  }
  return JSON.stringify((await handler.call(event, lambdaContext(invocation))) ?? null);
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error))
    return JSON.stringify({ errorType: typeof error, errorMessage: String(error), trace: [] });
  const { name, message, stack } = error;
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] });
};

/** Linux counts the starting process into maxRSS of the started one; VmHWM is the process's own peak. */
const peakMemoryMegabytes = (): number => {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
};

let isSaved = false;

/** After the first event, when most of the code is compiled; a process that is killed saves nothing at its end. */
const saveCompiledCode = (): void => {
  if (!isSaved) flushCompileCache();
  isSaved = true;
};

const run = async (handler: Handler, invocation: Invocation): Promise<void> => {
  tell({ type: 'started' });
  const started = performance.now();
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const outcome = await answer(handler, invocation).then(
    (payload) => ({ ...(payload !== undefined && { payload }) }),
    (error: unknown) => {
      console.error(error);
      return { error: describe(error) };
    },
  );
  const milliseconds = performance.now() - started;
  tell({ type: 'done', ...outcome, milliseconds, memoryMegabytes: peakMemoryMegabytes() });
  saveCompiledCode();
};

// The host goes, the function goes; until then only the host ends it, not a Ctrl-C in the terminal.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});

// Not a variable, since the environment is as on Lambda.
const [, , cacheFolder = ''] = process.argv;
if (cacheFolder !== '') enableCompileCache(cacheFolder);

Object.assign(globalThis, { awslambda });
const { LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
const started = performance.now();
try {
  const handler = await loadHandler(LAMBDA_TASK_ROOT, _HANDLER);
  process.on('message', (message: ToFunction) => {
    if (message.type === 'taken') chunkTaken();
    else void run(handler, message);
  });
  tell({ type: 'ready', initMilliseconds: performance.now() - started });
} catch (error) {
  console.error(error);
  tell({ type: 'failed-to-load', error: describe(error) });
}
