import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from '../../../support/server.ts';

/** Answers one request. */
export type Answer = (response: ServerResponse, server: { readonly port: number }) => void;

/** The answers to each kind of call, in order; the last one is repeated. */
export type UpstreamAnswers = {
  readonly submit?: readonly Answer[];
  readonly check?: readonly Answer[];
  readonly file?: readonly Answer[];
};

type SeenRequest = {
  readonly call: keyof UpstreamAnswers;
  readonly host: string;
  readonly key: string | undefined;
  readonly body: unknown;
};

export const KEY_HEADER = 'x-upstream-key';

type ReadCall = (request: Pick<IncomingMessage, 'method' | 'url'>) => keyof UpstreamAnswers;

/** Redirected downloads of all kinds have the same address. */
const readCall: ReadCall = ({ method, url = '' }) => {
  if (/\/files\/|\/storage\/|\/content(?:$|\?)/.test(url)) return 'file';
  return method === 'POST' && !url.endsWith(':fetchPredictOperation') ? 'submit' : 'check';
};

/** Forms are not read. */
const parseBody = (sent: string): unknown => {
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
};

/** An HTTP server that gives these answers and remembers the requests. */
export const startUpstream = async (answers: Required<UpstreamAnswers>) => {
  const seen: SeenRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = readCall(request);
    const sent = await text(request);
    const before = seen.filter((one) => one.call === call).length;
    seen.push({
      call,
      host: request.headers.host ?? '',
      key: request.headersDistinct[KEY_HEADER]?.[0] ?? request.headers.authorization,
      body: parseBody(sent),
    });
    const script = answers[call];
    (script[before] ?? script.at(-1))?.(response, { port });
  };
  const { url, port, close } = await startServer((request, response) => void answer(request, response));
  return {
    baseUrl: url,
    seen,
    requests: (call: keyof UpstreamAnswers): readonly SeenRequest[] =>
      seen.filter((one) => one.call === call),
    [Symbol.asyncDispose]: close,
  };
};
