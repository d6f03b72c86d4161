import { startServer } from './server.ts';

/** A web site of one page, at an origin of its own. */
export const servePage = async (html: string, headers: Readonly<Record<string, string>> = {}) => {
  const { url, port, close } = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  });
  return { origin: url, port, close };
};
