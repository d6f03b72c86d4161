import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LocalCloudError, type OnError } from '../local-cloud-error.ts';
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
  const server = createServer({ maxHeaderSize: HEADER_LIMIT }, (message, response) => {
    handle(message, response).catch((error: unknown) => {
      // A client that leaves in the middle of its request is no error.
      if (message.complete) options.onError?.('gateway', error);
      response.destroy();
    });
  });
  server.on('clientError', refuseBrokenRequest);
  server.listen(options.port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new LocalCloudError(`Port ${options.port} is in use or forbidden: choose another with --port.`, {
      cause,
    });
  }
  const { port } = addressOf(server.address());
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, close };
};

/** Headers over the limit, or bytes that are not HTTP. */
const refuseBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else socket.destroy();
};

const addressOf = (address: string | AddressInfo | null): AddressInfo => {
  if (address === null || typeof address === 'string') throw new Error('The gateway listens on no port.');
  return address;
};
