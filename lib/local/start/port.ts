import { once } from 'node:events';
import { createServer } from 'node:net';
import { LocalCloudError } from '../local-cloud-error.ts';

/** Says so before the long part of a start, not after it. */
export const assertFreePort = async (port: number): Promise<void> => {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    throw new LocalCloudError(`Port ${port} is in use or forbidden: choose another with --port.`, { cause });
  }
  server.close();
  await once(server, 'close');
};
