import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  corsHeadersFor,
  encode,
  type HttpRequest,
  type HttpResponse,
  type Outcome,
  type PublicOptions,
  respondTo,
} from './http.ts';

/** A streamed response, for bodies that exceed the gateway's limits on size or time. */
export type StreamedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Must settle before the invocation ends, even if the client has left: a frozen function does nothing. */
  readonly settled?: Promise<unknown>;
};

const CHUNK_BYTES = 256 * 1024;

/** Splits a large text. It is encoded first, because a split may fall within a character. */
export function* inChunks(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** Waits for the first item, so that an early failure can still change the status. */
export const begun = async <Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> => {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    for (let item = first; item.done !== true; item = await iterator.next()) yield item.value;
  })();
};

const isStreamed = (response: HttpResponse | StreamedResponse): response is StreamedResponse =>
  'chunks' in response;

const headAndChunks = (response: HttpResponse | StreamedResponse, event: APIGatewayProxyEvent) => {
  const { body, ...head } = encode(
    isStreamed(response) ? { status: response.status, headers: response.headers } : response,
    event.requestContext.requestId,
    corsHeadersFor(event),
  );
  if (event.httpMethod === 'HEAD') return { head, chunks: [] };
  return { head, chunks: isStreamed(response) ? response.chunks : inChunks(body) };
};

/** Not a `pipeline`, which destroys the stream on failure: AWS's runtime client cannot handle that, only a thrown error. */
const send = async (chunks: StreamedResponse['chunks'], output: Writable): Promise<void> => {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    if (!output.write(chunk)) await once(output, 'drain');
  }
  // Lambda sends status and headers with the first write, so an empty body needs an empty write.
  if (isEmpty) output.write('');
  output.end();
};

type Respond = (event: APIGatewayProxyEvent) => Promise<HttpResponse | StreamedResponse>;

export const streamed = (logger: PublicOptions['logger'], respond: Respond) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, stream) => {
    const response = await respond(event);
    const { head, chunks } = headAndChunks(response, event);
    try {
      await send(chunks, awslambda.HttpResponseStream.from(stream, { ...head }));
    } catch (error) {
      // The status has been sent: only an error tells the client that the body is incomplete.
      logger.error('stream failed', error, { requestId: event.requestContext.requestId });
      throw error;
    } finally {
      if (isStreamed(response)) await response.settled;
    }
  });

export const publicStreamedHandler = (
  options: PublicOptions,
  handle: (request: HttpRequest, outcome: Outcome) => Promise<HttpResponse | StreamedResponse>,
) => streamed(options.logger, (event) => respondTo(options, event, handle));
