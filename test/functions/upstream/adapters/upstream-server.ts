import type { ServerResponse } from 'node:http';
import { type Recorded, startRecorder } from './recording-server.ts';

/** Answers one request. */
export type Answer = (response: ServerResponse, server: { readonly port: number }) => void;

/** The answers to each kind of call, in order; the last one is repeated. */
export type UpstreamAnswers = {
  readonly submit?: readonly Answer[];
  readonly check?: readonly Answer[];
  readonly file?: readonly Answer[];
};

export const KEY_HEADER = 'x-upstream-key';

/** Redirected downloads of all kinds have the same address. */
const readCall = ({ line }: Recorded): keyof UpstreamAnswers => {
  if (/\/files\/|\/storage\/|\/content(?:$|\?)/.test(line)) return 'file';
  return line.startsWith('POST') && !line.endsWith(':fetchPredictOperation') ? 'submit' : 'check';
};

const readKey = ({ host, headers, authorization }: Recorded) => {
  const key = headers[KEY_HEADER];
  return { host, key: typeof key === 'string' ? key : authorization };
};

/** An HTTP server that gives these answers and remembers the requests. */
export const startUpstream = async (answers: Required<UpstreamAnswers>) => {
  const requestsOf = (call: keyof UpstreamAnswers) =>
    server.seen.filter((request) => readCall(request) === call);
  const server = await startRecorder((response, { port, request }) => {
    const call = readCall(request);
    const script = answers[call];
    (script[requestsOf(call).length - 1] ?? script.at(-1))?.(response, { port });
  });
  return {
    baseUrl: server.url,
    seen: () => server.seen.map(readKey),
    requests: (call: keyof UpstreamAnswers) => requestsOf(call).map(readKey),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
};
