import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import { isLoopbackAddress, isLoopbackHost, isPublicAddress, readHost } from '../domain/public-host.ts';
import type { PublicUrlRules } from '../domain/public-url.ts';

/** If an address does not accept a connection within this time, the next address of the host is tried. */
const NEXT_ADDRESS_MILLISECONDS = 2000;

/** The message is a sentence for the person who chose the address; it never contains a resolved address. */
export class UnreachableAddress extends Error {}

export type PublicNetwork = PublicUrlRules & {
  /** Returns all addresses of a host name. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  readonly isPublic?: (address: string) => boolean;
};

export type PublicRequest = {
  /** A checked URL; its host may resolve to anything. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
};

/** As ES modules, these take half of the start of a function. Only the local cloud sends without TLS. */
const protocolModule = ({ protocol }: URL) =>
  protocol === 'https:' ? import('node:https') : import('node:http');

const openRequest = async (
  { url, method, headers, body, signal }: PublicRequest,
  addresses: readonly LookupAddress[],
): Promise<ClientRequest> => {
  const { Agent, request } = await protocolModule(url);
  // A new agent keeps no connection and uses no proxy. Certificates are verified regardless of the environment.
  const agent = new Agent({
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MILLISECONDS,
    // Later, as a real lookup: an address without a route fails at once, before the request listens to its socket.
    lookup: (_name, _options, callback) => setImmediate(callback, null, [...addresses]),
  } satisfies AgentOptions);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return request(url, { method, headers: { ...headers, ...length }, signal, agent });
};

/** Rejects when the signal aborts, even if the work continues. */
const orAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const REFUSED_CERTIFICATE = /CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH/;

/** Sentences for the error codes of failed connections. */
const REASONS: readonly (readonly [code: RegExp, sentence: string])[] = [
  [REFUSED_CERTIFICATE, 'The certificate is not valid.'],
  [/EPROTO|ERR_SSL_/, 'No secure connection could be made.'],
  [/ECONNREFUSED/, 'The connection was refused.'],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT/, 'The address cannot be reached.'],
  [/HPE_/, 'The answer is not valid HTTP.'],
];

/** A sentence for people, which does not contain resolved addresses. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof UnreachableAddress) return error.message;
  const code = String(error instanceof Error ? Reflect.get(error, 'code') : undefined);
  const [, sentence] = REASONS.find(([known]) => known.test(code)) ?? [];
  return sentence ?? 'The connection was closed without an answer.';
};

/**
 * Sends requests to public addresses only. The host name is resolved once, all of its addresses are checked, and the
 * connection goes to the checked addresses, even if the name has changed its addresses since. Redirects are not followed.
 */
export const publicRequests = ({
  allowLoopbackHttp,
  resolve = (name) => lookup(name, { all: true }),
  isPublic = isPublicAddress,
}: PublicNetwork) => {
  const checkedAddresses = async (url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> => {
    const host = readHost(url);
    const family = isIP(host);
    const resolving = family === 0 ? resolve(host) : Promise.resolve([{ address: host, family }]);
    const addresses = await orAborted(signal, resolving).catch((error: unknown) => {
      throw signal.aborted ? error : new UnreachableAddress('The name could not be resolved.');
    });
    if (addresses.length === 0) throw new UnreachableAddress('The name could not be resolved.');
    const isAllowed = allowLoopbackHttp && isLoopbackHost(host) ? isLoopbackAddress : isPublic;
    if (!addresses.every(({ address }) => isAllowed(address)))
      throw new UnreachableAddress('The address is not public.');
    return addresses;
  };

  /** Sends one request, reads the response, and closes the connection. */
  return async <T>(options: PublicRequest, read: (response: IncomingMessage) => Promise<T>): Promise<T> => {
    const addresses = await checkedAddresses(options.url, options.signal);
    const request = await openRequest(options, addresses);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        // An aborted request may emit more than one error.
        request.on('error', reject);
        request.once('close', () => reject(new Error('The connection was closed without an answer.')));
        request.end(options.body);
      });
      return await read(response);
    } finally {
      request.destroy();
    }
  };
};
