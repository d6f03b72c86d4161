import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { OnError } from '../local-cloud-error.ts';
import { listenOnLoopback } from '../loopback.ts';
import { createRequestHandler, type HandlerOptions } from './request-handler.ts';

/** What API Gateway takes of request line and headers together. */
const HEADER_LIMIT = 10_240;

type GatewayOptions = HandlerOptions & {
  /** 0 takes any free port. */
  readonly port: number;
  readonly onError?: OnError | undefined;
};

type Gateway = {
  readonly port: number;
  readonly close: () => Promise<void>;
};

export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const handle = createRequestHandler(options);
  const servers = new Set<Server>();
  const create = (): Server => {
    const server = createServer({ maxHeaderSize: HEADER_LIMIT }, (message, response) => {
      handle(message, response).catch((error: unknown) => {
        // A client that leaves in the middle of its request is no error.
        if (message.complete) options.onError?.('gateway', error);
        response.destroy();
      });
    });
    server.on('clientError', refuseBrokenRequest);
    servers.add(server);
    return server;
  };
  const { port, close } = await listenOnLoopback(create, options.port);
  return {
    port,
    close: async () => {
      const closed = close();
      for (const server of servers) server.closeAllConnections();
      await closed;
    },
  };
};

/** Headers over the limit, or bytes that are not HTTP. */
const refuseBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else socket.destroy();
};
