import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the server does with one request. */
export type Answer = (response: ServerResponse, server: { readonly port: number }) => void;

/** The answers to each kind of call, in order; the last one is given again and again. */
export type UpstreamAnswers = {
  readonly submit?: readonly Answer[];
  readonly check?: readonly Answer[];
  readonly file?: readonly Answer[];
};

export type SeenRequest = {
  readonly call: keyof UpstreamAnswers;
  readonly host: string;
  readonly key: string | undefined;
  readonly body: unknown;
};

export const KEY_HEADER = 'x-upstream-key';

const callOf = ({ method, url = '' }: IncomingMessage): keyof UpstreamAnswers => {
  if (method === 'POST') return 'submit';
  return url.includes('/files/') ? 'file' : 'check';
};

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
};

/** A real HTTP server that answers as told and remembers what it was asked. */
export const startUpstream = async (answers: Required<UpstreamAnswers>) => {
  const seen: SeenRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = callOf(request);
    const body = await readBody(request);
    const before = seen.filter((one) => one.call === call).length;
    seen.push({
      call,
      host: request.headers.host ?? '',
      key: request.headersDistinct[KEY_HEADER]?.[0],
      body,
    });
    const script = answers[call];
    (script[before] ?? script.at(-1))?.(response, { port });
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    requests: (call: keyof UpstreamAnswers): readonly SeenRequest[] =>
      seen.filter((one) => one.call === call),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
