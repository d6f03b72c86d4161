import { once } from 'node:events';
import { createServer } from 'node:http';

/** Gives the same answer to everybody. */
export const startPlainServer = async (answer: string) => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () =>
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
