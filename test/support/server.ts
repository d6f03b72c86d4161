import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** Lets a server listen on this machine, and tells its port. */
export const listen = async (server: Server, host = '127.0.0.1', port = 0): Promise<number> => {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
};

/** A server of this machine at a port of its own. */
export const startServer = async (listener: RequestListener) => {
  const server = createServer(listener);
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, port, close };
};

/** Sends spaces, which may stand before JSON, until the client goes away. */
export const endlessly = (response: ServerResponse, status: number): ServerResponse => {
  const send = (): void => {
    while (!response.destroyed && response.write(' '.repeat(16_384)));
  };
  response.writeHead(status, { 'content-type': 'application/json' }).on('drain', send);
  send();
  return response;
};

/** A port that was free a moment ago. */
export const readFreePort = async (): Promise<number> => {
  const { port, close } = await startServer(() => {});
  await close();
  return port;
};
