import { Writable } from 'node:stream';

type StreamingHandler = (event: unknown, stream: ResponseStream, context: unknown) => Promise<unknown>;

const STREAMING_HANDLER = Symbol.for('aws.lambda.runtime.handler.streaming');
const HTTP_RESPONSE_TYPE = 'application/vnd.awslambda.http-integration-response';
const PRELUDE_END = new Uint8Array(8);

/** Writes chunk by chunk to the host, which answers when it has room for more. */
export class ResponseStream extends Writable {
  #send: (chunk: Uint8Array) => Promise<void>;
  #contentType = 'application/octet-stream';
  #prelude: string | undefined;

  constructor(send: (chunk: Uint8Array) => Promise<void>) {
    super({ highWaterMark: 1024 * 1024 });
    this.#send = send;
  }

  setContentType(contentType: string): void {
    this.#contentType = contentType;
  }

  setPrelude(prelude: string): void {
    this.#prelude = prelude;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#sendPrelude()
      .then(() => this.#send(chunk))
      .then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sendPrelude().then(() => done(), done);
  }

  async #sendPrelude(): Promise<void> {
    const prelude = this.#prelude;
    this.#prelude = undefined;
    if (prelude === undefined || this.#contentType !== HTTP_RESPONSE_TYPE) return;
    await this.#send(Buffer.concat([Buffer.from(prelude), PRELUDE_END]));
  }
}

/** The global that Lambda's Node.js runtime gives to functions. */
export const awslambda = {
  streamifyResponse: (handler: StreamingHandler) =>
    Object.assign(handler, { [STREAMING_HANDLER]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, metadata: unknown) => {
      stream.setContentType(HTTP_RESPONSE_TYPE);
      stream.setPrelude(JSON.stringify(metadata));
      return stream;
    },
  },
};

export const isStreaming = (handler: object): boolean => STREAMING_HANDLER in handler;
