import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from '../../../support/server.ts';

/** Does not respond to odd attempts, and begins a response to even ones that never ends. */
export const unanswering = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  const attempt = /attempt=(\d+)/.exec(String(request.headers['amz-sdk-request']))?.[1];
  if (Number(attempt) % 2 === 0)
    request.once('end', () => response.writeHead(200, { 'content-length': '1000' }).write('{'));
};

/** Reads 3 MB per second, then responds. */
export const slowReader = (request: IncomingMessage, response: ServerResponse): void => {
  let unread = 0;
  request.on('data', (chunk: Uint8Array) => {
    unread += chunk.length;
    if (unread < 300_000) return;
    unread = 0;
    request.pause();
    setTimeout(() => request.resume(), 100);
  });
  request.once('end', () => response.writeHead(200, { etag: '"1"' }).end());
};

/** Starts a server that AWS clients find through the environment; `calls` lists the requests. */
export const startQuietServer = async (
  behaviour: (request: IncomingMessage, response: ServerResponse) => void,
) => {
  const calls: string[] = [];
  const server = await startServer((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers['x-amz-target'] ?? ''}`);
    behaviour(request, response);
  });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL: server.url,
  });
  return { calls, close: server.close };
};
