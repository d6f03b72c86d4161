import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { upstreamCredentials } from '../../../../functions/upstream/adapters/credentials.ts';
import { startServer } from '../../../support/server.ts';

/** A request as the server received it. */
export type Recorded = {
  readonly line: string;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Answers the request that was received last. */
type Answer = (response: ServerResponse, at: { readonly port: number; readonly request: Recorded }) => void;

/** A server that gives these answers in turn, the last one again and again, and remembers the requests. */
export const startRecorder = async (...answers: readonly Answer[]) => {
  const seen: Recorded[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const body = await buffer(request);
    const { host = '', authorization } = headers;
    const recorded = { line: `${method} ${url}`, host, authorization, headers, body };
    seen.push(recorded);
    (answers[seen.length - 1] ?? answers.at(-1))?.(response, { port, request: recorded });
  };
  const { url, port, close } = await startServer((request, response) => void answer(request, response));
  const only = (): Recorded => {
    assert.equal(seen.length, 1);
    return seen[0] ?? assert.fail();
  };
  return { url, port, seen, only, [Symbol.asyncDispose]: close };
};

export const readJson = ({ body }: Recorded): unknown => JSON.parse(body.toString());

/** The form as a browser would read it. */
export const readForm = ({ headers, body }: Recorded): Promise<FormData> =>
  new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();

/** A credential that changes with each read of the secret, as during a rotation. */
export const rotatingCredential = (...keys: readonly string[]) => {
  let reads = 0;
  let time = 0;
  const readSecret = async (): Promise<string> => {
    const key = keys[reads] ?? keys.at(-1) ?? '';
    reads += 1;
    return key;
  };
  const now = () => {
    time += 10_000;
    return time;
  };
  return upstreamCredentials(readSecret, ['upstream'], now)('upstream');
};
