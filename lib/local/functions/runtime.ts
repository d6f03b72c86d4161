/** Entry point of a function's process: loads the bundle, then handles one event at a time. */
import { readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { FromFunction, ToFunction } from './function-process.ts';
import { awslambda, type Handler, loadHandler, openResponseStream } from './runtime-handler.ts';

type Invocation = Extract<ToFunction, { type: 'invoke' }>;

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

let chunkAccepted: () => void = () => {};

const sendToHost = (message: FromFunction): void => {
  process.send?.(message);
};

const sendChunk = (data: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    chunkAccepted = resolve;
    sendToHost({ type: 'chunk', data });
  });

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

/** Resolves when the handler has returned and the host has received the whole stream, which may end before. */
const stream = async (handler: Handler, event: unknown, invocation: Invocation): Promise<void> => {
  const { stream: output, sent } = openResponseStream(sendChunk, handler.streaming);
  let isComplete = true;
  void sent.then(() => {
    if (isComplete) sendToHost({ type: 'ended' });
  });
  try {
    const result = handler.call(event, output, lambdaContext(invocation));
    if (!isPromise(result)) throw new Error('Streaming does not support non-async handlers.');
    if ((await result) !== undefined) console.warn('Streaming handlers ignore return values.');
  } catch (error) {
    isComplete = output.writableEnded;
    output.end();
    await sent;
    if (!isComplete) throw error;
    // The response is already complete, so the error is only logged.
    console.error(error);
  }
  await sent;
};

const handle = async (handler: Handler, invocation: Invocation): Promise<string | undefined> => {
  const event: unknown = JSON.parse(invocation.payload);
  if (handler.streaming !== undefined) {
    await stream(handler, event, invocation);
    return undefined;
  }
  return JSON.stringify((await handler.call(event, lambdaContext(invocation))) ?? null);
};

const errorPayload = (error: unknown): string => {
  if (!(error instanceof Error))
    return JSON.stringify({ errorType: typeof error, errorMessage: String(error), trace: [] });
  const { name, message, stack } = error;
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] });
};

/** On Linux, maxRSS includes the parent process; VmHWM does not. */
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

/** Saved after the first event, when most code is compiled, because the process will be killed. */
const saveCompiledCode = (): void => {
  if (!isSaved) flushCompileCache();
  isSaved = true;
};

const run = async (handler: Handler, invocation: Invocation): Promise<void> => {
  sendToHost({ type: 'started' });
  const started = performance.now();
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const outcome = await handle(handler, invocation).then(
    (payload) => ({ ...(payload !== undefined && { payload }) }),
    (error: unknown) => {
      console.error(error);
      return { error: errorPayload(error) };
    },
  );
  const milliseconds = performance.now() - started;
  sendToHost({ type: 'done', ...outcome, milliseconds, memoryMegabytes: peakMemoryMegabytes() });
  saveCompiledCode();
};

// The process ends with its host. Ctrl-C in the terminal must not end it.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});

// Passed as an argument, because the environment must be as on Lambda.
const [, , cacheFolder = ''] = process.argv;
if (cacheFolder !== '') enableCompileCache(cacheFolder);

// The endpoints of the local cloud have no TLS. As an ES module, `node:http` exports WebSocket, and thereby loads all of
// undici: a third of the CPU time of a start.
const http = process.getBuiltinModule('node:http');
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);

Object.assign(globalThis, { awslambda });
const { LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
const started = performance.now();
try {
  const handler = await loadHandler(LAMBDA_TASK_ROOT, _HANDLER);
  process.on('message', (message: ToFunction) => {
    if (message.type === 'taken') chunkAccepted();
    else void run(handler, message);
  });
  sendToHost({ type: 'ready', initMilliseconds: performance.now() - started });
} catch (error) {
  console.error(error);
  sendToHost({ type: 'failed-to-load', error: errorPayload(error) });
}
