import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { AwsError } from './aws-error.ts';
import type { AwsRequest } from './service.ts';

const flatHeaders = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );

const readQuery = (text: string): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    query[decodeURIComponent(name)] = at < 0 ? '' : decodeURIComponent(pair.slice(at + 1));
  }
  return query;
};

export const readRequest = (message: IncomingMessage, response: ServerResponse): AwsRequest => {
  const url = message.url ?? '/';
  const at = url.indexOf('?');
  const gone = new AbortController();
  response.once('close', () => {
    // Every answer closes; only a client that left before it has gone.
    if (!response.writableFinished) gone.abort();
  });
  return {
    method: message.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: readQuery(at < 0 ? '' : url.slice(at + 1)),
    headers: flatHeaders(message),
    signal: gone.signal,
  };
};

export const readAll = async (body: Readable, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw new AwsError(413, 'RequestEntityTooLarge', `The body is over ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
