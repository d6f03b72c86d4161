import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from './server.ts';

export type StreamedFunction = {
  readonly bundle: string;
  readonly handler?: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** The answer of a streamed function to one event, as Lambda receives it from the function's process. */
export type Streamed = {
  readonly bytes: Buffer;
  readonly outcome: 'ok' | 'error' | 'crash' | 'unfinished';
  readonly error?: { readonly errorType: string; readonly errorMessage: string };
};

export const runtimeEnvironment = ({ bundle, handler = 'index.handler', environment }: StreamedFunction) => ({
  AWS_LAMBDA_FUNCTION_NAME: 'streamed',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/streamed',
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  AWS_REGION: 'us-east-1',
  LAMBDA_TASK_ROOT: bundle,
  ...environment,
  _HANDLER: handler,
});

const SILENCE = 3000;

/** Calls back when a stream that has begun stays silent: before that, a busy machine may still start the process. */
export const watchSilence = (onSilence: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    stop: () => clearTimeout(timer),
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE);
    },
  };
};

const CLIENT = fileURLToPath(import.meta.resolve('aws-lambda-ric'));
const PRELOADED = import.meta.resolve('./without-native-client.ts');
const ERROR_BODY = 'lambda-runtime-function-error-body';

const readError = (encoded: string): NonNullable<Streamed['error']> => {
  const { errorType, errorMessage } = JSON.parse(Buffer.from(encoded, 'base64').toString());
  return { errorType, errorMessage };
};

/** Plays Lambda's Runtime API: hands out one event after another, takes the answers, and then has no further event. */
const runtimeApi = async (events: readonly unknown[]) => {
  const answers: Streamed[] = [];
  const over = Promise.withResolvers<readonly Streamed[]>();
  let chunks: Buffer[] = [];
  let handedOut = 0;
  let received: Promise<unknown> = Promise.resolve();
  let ending: Omit<Streamed, 'bytes'> = { outcome: 'unfinished' };
  let isOver = false;
  const settle = (settled: Omit<Streamed, 'bytes'>) => {
    if (!isOver) answers.push({ bytes: Buffer.concat(chunks), ...settled });
  };
  const finish = () => {
    isOver = true;
    over.resolve(answers);
  };
  /** The process does not survive this event. */
  const lose = (outcome: 'crash' | 'unfinished') => {
    settle({ outcome });
    finish();
  };
  const silence = watchSilence(() => lose('unfinished'));

  const next = (response: ServerResponse) => {
    // Only a process that asks for another event has survived the one before.
    if (handedOut > 0) settle(ending);
    if (handedOut === events.length) return finish();
    const event = events[handedOut];
    handedOut += 1;
    chunks = [];
    ending = { outcome: 'unfinished' };
    response.writeHead(200, {
      'lambda-runtime-aws-request-id': 'request',
      'lambda-runtime-deadline-ms': String(Date.now() + 60_000),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:streamed',
    });
    response.end(JSON.stringify(event));
  };
  const take = (request: IncomingMessage, response: ServerResponse) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      silence.heard();
    });
    received = new Promise((resolve) => request.once('close', resolve));
    request.on('error', () => {});
    request.on('end', () => {
      silence.stop();
      response.writeHead(202).end();
      const { [ERROR_BODY]: error } = request.trailers;
      ending = error === undefined ? { outcome: 'ok' } : { outcome: 'error', error: readError(error) };
    });
  };
  const server = await startServer((request, response) => {
    if (request.url?.endsWith('/invocation/next')) next(response);
    else if (request.url?.endsWith('/response')) take(request, response);
    else lose('crash');
  });
  const close = () => {
    silence.stop();
    return server.close();
  };
  /** The process has ended; bytes that it sent before may still be on their way. */
  const crashed = async () => {
    await sleep(50);
    await received;
    lose('crash');
  };
  return { port: server.port, close, over: over.promise, crashed };
};

/** Runs events on AWS's runtime client until its process does not survive one. */
const streamOnOneProcess = async (
  streamed: StreamedFunction,
  events: readonly unknown[],
): Promise<readonly Streamed[]> => {
  const api = await runtimeApi(events);
  const child = spawn(process.execPath, ['--import', PRELOADED, CLIENT], {
    cwd: streamed.bundle,
    env: {
      ...runtimeEnvironment(streamed),
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${api.port}`,
      AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
    },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  exited.then(api.crashed);
  const answers = await api.over;
  child.kill('SIGKILL');
  await exited;
  await api.close();
  return answers;
};

/** Runs events on AWS's runtime client, in a new process after each event that ends one. */
export const streamOnAws = async (
  streamed: StreamedFunction,
  events: readonly unknown[],
): Promise<readonly Streamed[]> => {
  const answers: Streamed[] = [];
  while (answers.length < events.length)
    answers.push(...(await streamOnOneProcess(streamed, events.slice(answers.length))));
  return answers;
};
