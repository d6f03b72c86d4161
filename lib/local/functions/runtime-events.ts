import type { FromFunction, ToFunction } from './function-process.ts';
import { type Handler, openResponseStream } from './runtime-handler.ts';

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

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

export const errorPayload = (error: unknown): string => {
  if (!(error instanceof Error))
    return JSON.stringify({ errorType: typeof error, errorMessage: String(error), trace: [] });
  const { name, message, stack } = error;
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] });
};

/** Handles one event at a time, and tells the host how it goes. */
export const createRuntime = (handler: Handler, sendToHost: (message: FromFunction) => void) => {
  let chunkAccepted: () => void = () => {};

  const sendChunk = (data: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      chunkAccepted = resolve;
      sendToHost({ type: 'chunk', data });
    });

  /** Resolves when the handler has returned and the host has received the whole stream, which may end before. */
  const stream = async (event: unknown, invocation: Invocation): Promise<void> => {
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

  const handle = async (invocation: Invocation): Promise<string | undefined> => {
    const event: unknown = JSON.parse(invocation.payload);
    if (handler.streaming !== undefined) {
      await stream(event, invocation);
      return undefined;
    }
    return JSON.stringify((await handler.call(event, lambdaContext(invocation))) ?? null);
  };

  return {
    takeChunkAccepted: () => chunkAccepted(),
    run: async (invocation: Invocation, peakMemoryMegabytes: () => number): Promise<void> => {
      sendToHost({ type: 'started' });
      const started = performance.now();
      process.env._X_AMZN_TRACE_ID = invocation.traceId;
      const outcome = await handle(invocation).then(
        (payload) => ({ ...(payload !== undefined && { payload }) }),
        (error: unknown) => {
          console.error(error);
          return { error: errorPayload(error) };
        },
      );
      const milliseconds = performance.now() - started;
      sendToHost({ type: 'done', ...outcome, milliseconds, memoryMegabytes: peakMemoryMegabytes() });
    },
  };
};
