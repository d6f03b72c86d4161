import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { GatewayRequest } from './request.ts';
import { responseHeaders } from './response-headers.ts';

const preludeSchema = z.object({
  statusCode: z.int().min(100).max(599).default(200),
  headers: z.record(z.string(), z.union([z.string(), z.boolean()])).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(z.union([z.string(), z.boolean()]))).nullish(),
  cookies: z.array(z.string()).nullish(),
});

const PRELUDE_END = Buffer.alloc(8);
const PRELUDE_LIMIT = 16 * 1024;

/** Takes a function's stream: the prelude becomes status and headers, the rest goes to the client as it comes. */
export class StreamedResponse {
  readonly #response: ServerResponse;
  readonly #request: GatewayRequest;
  #prelude = Buffer.alloc(0);
  #state: 'prelude' | 'body' | 'malformed' | 'over' = 'prelude';

  constructor(response: ServerResponse, request: GatewayRequest) {
    this.#response = response;
    this.#request = request;
  }

  /** Whether status and headers are on their way, so that no gateway response can take their place. */
  get isStarted(): boolean {
    return this.#state === 'body';
  }

  /** Resolves when the client has taken the chunk; what a client that left cannot take is dropped. */
  async take(chunk: Uint8Array): Promise<void> {
    if (this.#state === 'body') return this.#write(chunk);
    if (this.#state !== 'prelude') return;
    this.#prelude = Buffer.concat([this.#prelude, chunk]);
    const end = this.#prelude.indexOf(PRELUDE_END);
    if (end < 0 && this.#prelude.length <= PRELUDE_LIMIT) return;
    if (end < 0 || !this.#writeHead(this.#prelude.subarray(0, end).toString())) {
      this.#state = 'malformed';
      return;
    }
    this.#state = 'body';
    await this.#write(this.#prelude.subarray(end + PRELUDE_END.length));
  }

  end(): void {
    this.#state = 'over';
    this.#response.end();
  }

  /** A response that began cannot change its status: the broken connection tells the client. */
  abort(): void {
    this.#state = 'over';
    this.#response.destroy();
  }

  #writeHead(text: string): boolean {
    try {
      const { statusCode, headers, multiValueHeaders, cookies } = preludeSchema.parse(JSON.parse(text));
      const all = { ...multiValueHeaders, ...(cookies && { 'Set-Cookie': cookies }) };
      const outgoing = responseHeaders({ headers: headers ?? {}, multiValueHeaders: all }, this.#request);
      this.#response.writeHead(statusCode, outgoing);
      this.#response.flushHeaders();
      return true;
    } catch {
      return false;
    }
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0 || this.#response.destroyed || this.#response.write(chunk)) return;
    const settled = new AbortController();
    const { signal } = settled;
    await Promise.race([
      once(this.#response, 'drain', { signal }),
      once(this.#response, 'close', { signal }),
    ]);
    settled.abort();
  }
}
