import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { corsHeaders } from './cors.ts';
import {
  type AccountRequest,
  encode,
  type HandlerOptions,
  type HttpRequest,
  type HttpResponse,
  handleRequest,
  headerReader,
  type PublicOptions,
  respondTo,
} from './http.ts';

/** A response that is sent as it comes, for bodies larger or later than a whole answer may be. */
export type StreamedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** What must be over before the function rests, also when its client has left: a resting one does nothing. */
  readonly settled?: Promise<unknown>;
};
export type StreamedHandler = (request: AccountRequest) => Promise<HttpResponse | StreamedResponse>;

const CHUNK_BYTES = 256 * 1024;

/** A large text in parts; it is encoded whole, because a cut may fall within a character. */
export function* inChunks(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** The same items; what fails before the first fails here, while the status can still tell it. */
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
    corsHeaders(headerReader(event)),
  );
  if (event.httpMethod === 'HEAD') return { head, chunks: [] };
  return { head, chunks: isStreamed(response) ? response.chunks : inChunks(body) };
};

/**
 * Not a `pipeline`: it destroys the stream when the chunks fail, and AWS's runtime client does not survive that. It
 * reports an error that the handler throws.
 */
const send = async (chunks: StreamedResponse['chunks'], output: Writable): Promise<void> => {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    if (!output.write(chunk)) await once(output, 'drain');
  }
  // Lambda sends status and headers with the first write, and none if there is no write at all.
  if (isEmpty) output.write('');
  output.end();
};

type Respond = (event: APIGatewayProxyEvent) => Promise<HttpResponse | StreamedResponse>;

/** The body goes out in chunks, no faster than the client takes them. */
const streamed = (logger: PublicOptions['logger'], respond: Respond) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, stream) => {
    const response = await respond(event);
    const { head, chunks } = headAndChunks(response, event);
    try {
      await send(chunks, awslambda.HttpResponseStream.from(stream, { ...head }));
    } catch (error) {
      // The status went out long before: an error is all that tells the client that the body is not whole.
      logger.error('stream failed', error, { requestId: event.requestContext.requestId });
      throw error;
    } finally {
      if (isStreamed(response)) await response.settled;
    }
  });

/** As `httpHandler`, but streamed. */
export const streamedHandler = (options: HandlerOptions, handle: StreamedHandler) =>
  streamed(options.logger, (event) => handleRequest(options, event, handle));

/** As `publicHandler`, but streamed. */
export const publicStreamedHandler = (
  options: PublicOptions,
  handle: (request: HttpRequest) => Promise<StreamedResponse>,
) => streamed(options.logger, (event) => respondTo(options, event, handle));
