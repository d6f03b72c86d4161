import { once } from 'node:events';
import type { Server } from 'node:net';
import { hasCode, LocalCloudError } from './errors.ts';

const MAX_TRIES = 20;
/** Errors on a machine without IPv6. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

type Listening = { readonly port: number; readonly close: () => Promise<void> };

const listen = async (server: Server, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  await once(server, 'listening');
  return readPort(server);
};

export const readPort = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.');
  return address.port;
};

const closeAll = async (servers: readonly Server[]): Promise<void> => {
  const closed = servers.map((server) => once(server, 'close'));
  for (const server of servers) server.close();
  await Promise.all(closed);
};

const tryPort = async (create: () => Server, wanted: number): Promise<Listening> => {
  const first = create();
  const port = await listen(first, wanted, '127.0.0.1');
  const second = create();
  try {
    await listen(second, port, '::1');
    return { port, close: () => closeAll([first, second]) };
  } catch (error) {
    if (NO_ADDRESS.some((code) => hasCode(error, code))) return { port, close: () => closeAll([first]) };
    await closeAll([first]);
    throw error;
  }
};

/**
 * Listens on 127.0.0.1 and, if available, on ::1. `localhost` may resolve to either, so another process on the same port
 * could receive our clients' keys. Port 0 chooses a port that is free on both.
 */
export const listenOnLoopback = async (create: () => Server, port: number): Promise<Listening> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryPort(create, port);
    } catch (cause) {
      if (port === 0 && tries < MAX_TRIES && hasCode(cause, 'EADDRINUSE')) continue;
      throw new LocalCloudError(`Port ${port} is in use or not allowed: choose another with --port.`, {
        cause,
      });
    }
  }
};
