import { startServer } from '../../support/server.ts';

/** Gives the same answer to everybody. */
export const startPlainServer = (answer: string) =>
  startServer((request, response) => {
    request
      .resume()
      .once('end', () =>
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer),
      );
  });
