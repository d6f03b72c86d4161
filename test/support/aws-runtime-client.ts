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

/** Compiled code and stripped types are kept: to make them again takes longer than the event. */
const { NODE_COMPILE_CACHE } = process.env;

export const runtimeEnvironment = ({ bundle, handler = 'index.handler', environment }: StreamedFunction) => ({
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
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

/** Plays Lambda's Runtime API for one event: hands it out, takes the answer, and then has no further event. */
const runtimeApi = async (event: unknown) => {
  const chunks: Buffer[] = [];
  const over = Promise.withResolvers<Streamed>();
  let handedOut = false;
  let received: Promise<unknown> = Promise.resolve();
  let ending: Omit<Streamed, 'bytes'> = { outcome: 'unfinished' };
  const settle = (settled: Omit<Streamed, 'bytes'>) =>
    over.resolve({ bytes: Buffer.concat(chunks), ...settled });
  const silence = watchSilence(() => settle({ outcome: 'unfinished' }));

  const next = (response: ServerResponse) => {
    // Only a process that asks for another event has survived this one.
    if (handedOut) return settle(ending);
    handedOut = true;
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
    else settle({ outcome: 'crash' });
  });
  const close = () => {
    silence.stop();
    return server.close();
  };
  /** The process has ended; bytes that it sent before may still be on their way. */
  const crashed = async () => {
    await sleep(50);
    await received;
    settle({ outcome: 'crash' });
  };
  return { port: server.port, close, over: over.promise, crashed };
};

/** Runs one event on AWS's runtime client. */
export const streamOnAws = async (streamed: StreamedFunction, event: unknown): Promise<Streamed> => {
  const api = await runtimeApi(event);
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
  const answer = await api.over;
  child.kill('SIGKILL');
  await exited;
  await api.close();
  return answer;
};
