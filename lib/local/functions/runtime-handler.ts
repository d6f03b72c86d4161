import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

type SendChunk = (chunk: Uint8Array) => Promise<void>;
type WritePrelude = (write: (chunk: string | Uint8Array) => void) => void;
type StreamingOptions = { readonly highWaterMark?: number };

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
const HIGH_WATER_MARK = Symbol.for('aws.lambda.runtime.handler.streaming.highWaterMark');
const HTTP_RESPONSE_TYPE = 'application/vnd.awslambda.http-integration-response';
const PRELUDE_END = new Uint8Array(8);

class RuntimeError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = `Runtime.${name}`;
  }
}

/** Sends one chunk at a time to the host, which replies when it is ready for more. */
class HostStream extends Writable {
  readonly #send: SendChunk;

  constructor(send: SendChunk, options: StreamingOptions) {
    super(options);
    this.#send = send;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(() => done(), done);
  }

  /** On AWS the stream is an HTTP request, which fails if it is destroyed before the response. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error ?? (this.writableFinished ? null : new Error('socket hang up')));
  }
}

const SHARED_MEMBERS = `destroy cork uncork on once off emit addListener prependListener prependOnceListener
  removeListener removeAllListeners setMaxListeners getMaxListeners listeners rawListeners listenerCount eventNames
  destroyed writable writableCorked writableFinished writableHighWaterMark writableLength writableNeedDrain
  writableObjectMode`.split(/\s+/);

const toChunk = (value: unknown): unknown => {
  if (value === null || value === undefined)
    throw new TypeError(`Cannot read properties of ${value} (reading 'length')`);
  return typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value);
};

export type ResponseStream = ReturnType<typeof openResponseStream>['stream'];

/**
 * Behaves like AWS's runtime client, with which a test compares it byte by byte. A handler's stream is not a `Writable`:
 * it has only these members. Only `write` sends the prelude; `end` does not, even with a chunk.
 */
export const openResponseStream = (send: SendChunk, options: StreamingOptions = {}) => {
  const inner = new HostStream(send, options);
  let written = false;
  let writePrelude: WritePrelude | undefined;
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  inner.once('finish', resolve);
  // As in AWS's client, the unhandled rejection ends the process.
  inner.once('error', (error) => void Promise.reject(error));

  const stream = {
    get _onBeforeFirstWrite() {
      return writePrelude;
    },
    set _onBeforeFirstWrite(write) {
      writePrelude = write;
    },
    setContentType: (_contentType: string): void => {
      if (written) throw new RuntimeError('InvalidStreamingOperation', 'Cannot set content-type, too late.');
    },
    write: (value: unknown, ...rest: readonly unknown[]): boolean => {
      const chunk = toChunk(value);
      if (!written) writePrelude?.((chunk) => inner.write(chunk));
      written = true;
      return Reflect.apply(inner.write, inner, [chunk, ...rest]);
    },
    end: inner.end.bind(inner),
    get writableEnded() {
      return inner.writableEnded;
    },
  };
  for (const name of SHARED_MEMBERS)
    Object.defineProperty(stream, name, {
      enumerable: true,
      get: () => {
        const member: unknown = Reflect.get(inner, name);
        return typeof member === 'function' ? member.bind(inner) : member;
      },
    });
  return { stream, sent };
};

type StreamingHandler = (event: unknown, stream: ResponseStream, context: unknown) => Promise<unknown>;

/** The global object that Lambda's Node.js runtime provides. */
export const awslambda = {
  streamifyResponse: (handler: StreamingHandler, options: StreamingOptions = {}) =>
    Object.assign(handler, {
      [STREAMING]: 'response',
      ...(typeof options.highWaterMark === 'number' && { [HIGH_WATER_MARK]: options.highWaterMark }),
    }),
  HttpResponseStream: {
    from: (stream: ResponseStream, metadata: unknown) => {
      stream.setContentType(HTTP_RESPONSE_TYPE);
      const prelude = JSON.stringify(metadata);
      stream._onBeforeFirstWrite = (write) => {
        write(prelude);
        write(PRELUDE_END);
      };
      return stream;
    },
  },
};

/** Undefined for a handler that does not stream. */
export const readStreaming = (handler: object): StreamingOptions | undefined => {
  const streaming: unknown = Reflect.get(handler, STREAMING);
  if (!streaming) return undefined;
  if (streaming !== 'response')
    throw new RuntimeError('MalformedStreamingHandler', 'Only response streaming is supported.');
  const highWaterMark: unknown = Reflect.get(handler, HIGH_WATER_MARK);
  return typeof highWaterMark === 'number' ? { highWaterMark } : {};
};

export type Handler = {
  /** Undefined for a handler that does not stream. */
  readonly streaming: ReturnType<typeof readStreaming>;
  readonly call: (...parameters: unknown[]) => unknown;
};

const CALLBACK_REMOVED =
  'ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.';

/** Like Lambda, finds `index.handler` in index.js, index.mjs or index.cjs. A copy has a state of its own. */
export const loadHandler = async (taskRoot: string, handler: string, copy = ''): Promise<Handler> => {
  const dot = handler.lastIndexOf('.');
  const [module, name] = [handler.slice(0, dot), handler.slice(dot + 1)];
  const file = ['.js', '.mjs', '.cjs'].map((ending) => join(taskRoot, module + ending)).find(existsSync);
  if (file === undefined)
    throw new RuntimeError('ImportModuleError', `Error: Cannot find module '${module}'`);
  const exported = await import(pathToFileURL(file).href + copy);
  const found: unknown = exported[name] ?? exported.default?.[name];
  if (typeof found !== 'function') {
    const reason = found ? 'is not a function' : 'is undefined or not exported';
    throw new RuntimeError('HandlerNotFound', `${handler} ${reason}`);
  }
  const streaming = readStreaming(found);
  if (streaming === undefined && found.length >= 3)
    throw new RuntimeError('CallbackHandlerDeprecated', CALLBACK_REMOVED);
  return { streaming, call: (...parameters) => found(...parameters) };
};
