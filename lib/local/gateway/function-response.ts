import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { ApiDefinition } from './api-definition.ts';
import { type GatewayRequest, headerValue, isBinary } from './request.ts';

const REMAPPED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'server',
  'www-authenticate',
]);

const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'trailer',
]);

type FunctionHeaders = {
  readonly headers: Readonly<Record<string, string | boolean>>;
  readonly multiValueHeaders: Readonly<Record<string, readonly (string | boolean)[]>>;
};

/** Converts a function's headers; a name in both maps is taken from `multiValueHeaders`. */
const responseHeaders = (
  { headers, multiValueHeaders }: FunctionHeaders,
  request: GatewayRequest,
): OutgoingHttpHeaders => {
  const merged = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of Object.entries(headers)) {
    merged.set(name.toLowerCase(), { name, values: [String(value)] });
  }
  for (const [name, values] of Object.entries(multiValueHeaders)) {
    merged.set(name.toLowerCase(), { name, values: values.map(String) });
  }
  const outgoing: OutgoingHttpHeaders = merged.has('content-type')
    ? {}
    : { 'Content-Type': 'application/json' };
  for (const [lower, { name, values }] of merged) {
    if (DROPPED_HEADERS.has(lower)) continue;
    const outgoingName = REMAPPED_HEADERS.has(lower) ? `x-amzn-Remapped-${name}` : name;
    outgoing[outgoingName] = values.length === 1 ? values[0] : values;
  }
  return { ...outgoing, ...gatewayHeaders(request) };
};

export const gatewayHeaders = ({ requestId, extendedRequestId }: GatewayRequest) => ({
  'x-amzn-RequestId': requestId,
  'x-amz-apigw-id': extendedRequestId,
});

const headerText = z.union([z.string(), z.boolean()]);
const headersShape = {
  headers: z.record(z.string(), headerText).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerText)).nullish(),
};
const statusCode = z.union([z.int(), z.string().regex(/^\d{3}$/)]).transform(Number);

/** As on AWS, no field is required, but any other field makes the response malformed. */
const proxyResponseSchema = z.strictObject({
  statusCode: statusCode.pipe(z.int().min(100).max(599)).default(200),
  ...headersShape,
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

type HttpResponse = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

/** The HTTP response for a function's payload; undefined if it is malformed. */
export const bufferedResponse = (
  api: ApiDefinition,
  request: GatewayRequest,
  payload: string,
): HttpResponse | undefined => {
  const parsed = proxyResponseSchema.safeParse(parseJson(payload));
  if (!parsed.success) return undefined;
  const { statusCode: status, headers, multiValueHeaders, body, isBase64Encoded } = parsed.data;
  // Base64 is decoded only if the first accepted type is declared as binary.
  const [firstAccepted] = (headerValue(request, 'accept') ?? '').split(',');
  const decodes = isBase64Encoded === true && isBinary(api, firstAccepted);
  const bytes = Buffer.from(body ?? '', decodes ? 'base64' : 'utf8');
  const own = responseHeaders(
    { headers: headers ?? {}, multiValueHeaders: multiValueHeaders ?? {} },
    request,
  );
  return { status, headers: { ...own, 'Content-Length': bytes.length }, body: bytes };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const preludeSchema = z.object({
  statusCode: z.int().min(100).max(599).default(200),
  ...headersShape,
  cookies: z.array(z.string()).nullish(),
});

const PRELUDE_END = Buffer.alloc(8);
const PRELUDE_LIMIT = 16 * 1024;

/** Forwards a function's stream: the prelude becomes status and headers, the rest the body. */
export class StreamedResponse {
  readonly #response: ServerResponse;
  readonly #request: GatewayRequest;
  #prelude = Buffer.alloc(0);
  #state: 'prelude' | 'body' | 'malformed' | 'over' = 'prelude';

  constructor(response: ServerResponse, request: GatewayRequest) {
    this.#response = response;
    this.#request = request;
  }

  /** Whether status and headers are sent, so that a gateway response is no longer possible. */
  get isStarted(): boolean {
    return this.#state === 'body';
  }

  /** Resolves when the client is ready for more. Chunks for a disconnected client are dropped. */
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

  /** The status is already sent, so only a broken connection signals the error. */
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
