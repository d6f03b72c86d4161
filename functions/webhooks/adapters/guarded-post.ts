import type { LookupAddress } from 'node:dns';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const MOST_BYTES = 1024;
/** The status says what the receiver made of it; what follows is only for people to read. */
const BODY_MILLISECONDS = 2000;
/** An address that does not take a connection by then is left for the next one of the same name. */
const NEXT_ADDRESS_MILLISECONDS = 2000;

export type PostOptions = {
  readonly url: URL;
  /** Where to connect, whatever the name of the URL leads to by now. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

export type PostAnswer = { readonly statusCode: number; readonly start: Uint8Array };

/** Keeps no connection, asks no proxy, and insists on the certificate whatever the environment says. */
const agentOf = ({ url, addresses }: PostOptions): HttpAgent => {
  const options = {
    keepAlive: false,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MILLISECONDS,
    lookup: (_name, _options, callback) => callback(null, [...addresses]),
  } satisfies AgentOptions;
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
};

const openRequest = (options: PostOptions): ClientRequest => {
  const { url, headers, body, signal } = options;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal,
    agent: agentOf(options),
  });
};

/** The first KB, or what of it came before the answer broke off or was too slow. */
const readStart = (response: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).subarray(0, MOST_BYTES));
    };
    const timer = setTimeout(finish, BODY_MILLISECONDS);
    response.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_BYTES) finish();
    });
    response.once('end', finish);
    response.once('close', finish);
    // The status is known by then, so that a broken body is no failure.
    response.once('error', finish);
  });

/** Sends it once; the connection is gone when this is done. */
export const guardedPost = async (options: PostOptions): Promise<PostAnswer> => {
  const request = openRequest(options);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // A request that was aborted may emit more than one.
      request.on('error', reject);
      request.once('close', () => reject(new Error('The connection was closed without an answer.')));
      request.end(options.body);
    });
    return { statusCode: response.statusCode ?? 0, start: await readStart(response) };
  } finally {
    request.destroy();
  }
};
