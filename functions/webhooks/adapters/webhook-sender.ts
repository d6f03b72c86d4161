import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  isLoopbackAddress,
  isLoopbackHost,
  isPublicAddress,
  readHost,
} from '../../platform/domain/public-host.ts';
import { webhookUrlRules } from '../../platform/runtime/environment.ts';
import { QUICK_ANSWER } from '../domain/webhook-delivery.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import type { WebhookSender } from '../domain/webhook-stores.ts';
import { checkWebhookUrl, type WebhookUrlRules } from '../domain/webhook-url.ts';
import type { DeliveryAttempt, WebhookEvent } from '../domain/webhooks.ts';

const MOST_BYTES = 1024;
/** The status tells the result, so the body, which only people read, gets little time. */
const BODY_MILLISECONDS = 2000;
/** If an address does not accept a connection within this time, the next address of the host is tried. */
const NEXT_ADDRESS_MILLISECONDS = 2000;
const USER_AGENT = 'media-generation-webhooks/1.0';
const TIMEOUT_MILLISECONDS = 10_000;

type PostOptions = {
  readonly url: URL;
  /** The checked addresses to connect to, even if the host name has changed its addresses since. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

type PostAnswer = { readonly statusCode: number; readonly start: Uint8Array };

/** Only the local cloud sends without TLS. As an ES module, `node:http` takes half of the start of a function. */
const protocolModule = ({ protocol }: URL) => (protocol === 'https:' ? https : import('node:http'));

const openRequest = async ({
  url,
  addresses,
  headers,
  body,
  signal,
}: PostOptions): Promise<ClientRequest> => {
  const { Agent, request } = await protocolModule(url);
  return request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal,
    // A new agent keeps no connection and uses no proxy. Certificates are verified regardless of the environment.
    agent: new Agent({
      rejectUnauthorized: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MILLISECONDS,
      // Later, as a real lookup: an address without a route fails at once, before the request listens to its socket.
      lookup: (_name, _options, callback) => setImmediate(callback, null, [...addresses]),
    } satisfies https.AgentOptions),
  });
};

/** The first KB of the body, or as much of it as arrives in time. */
const readStart = async (response: IncomingMessage): Promise<Uint8Array> => {
  const timer = setTimeout(() => response.destroy(), BODY_MILLISECONDS);
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of response) {
      start = Buffer.concat([start, chunk]);
      if (start.length >= MOST_BYTES) break;
    }
  } catch {
    // The status is known, so a broken body is not a failure.
  }
  clearTimeout(timer);
  return start.subarray(0, MOST_BYTES);
};

/** Sends one request and closes the connection. */
const post = async (options: PostOptions): Promise<PostAnswer> => {
  const request = await openRequest(options);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // An aborted request may emit more than one error.
      request.on('error', reject);
      request.once('close', () => reject(new Error('The connection was closed without an answer.')));
      request.end(options.body);
    });
    return { statusCode: response.statusCode ?? 0, start: await readStart(response) };
  } finally {
    request.destroy();
  }
};

export type WebhookSenderOptions = WebhookUrlRules & {
  readonly toObject: (event: WebhookEvent) => object;
  readonly now: Clock;
  readonly timeoutMs?: number;
  /** An answer that takes longer is slow. */
  readonly quickMs?: number;
  /** Returns all addresses of a host name. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  readonly isPublic?: (address: string) => boolean;
};

type Outcome = Pick<DeliveryAttempt, 'statusCode' | 'answer' | 'error'>;

const failure = (error: string): Outcome => ({ error });

const REFUSED_CERTIFICATE = /CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH/;

/** Sentences for the error codes of failed connections. */
const REASONS: readonly (readonly [code: RegExp, sentence: string])[] = [
  [REFUSED_CERTIFICATE, 'The certificate is not valid.'],
  [/EPROTO|ERR_SSL_/, 'No secure connection could be made.'],
  [/ECONNREFUSED/, 'The connection was refused.'],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT/, 'The address cannot be reached.'],
  [/HPE_/, 'The answer is not valid HTTP.'],
];

const describeError = (error: unknown): string => {
  const code = String(error instanceof Error ? Reflect.get(error, 'code') : undefined);
  const [, sentence] = REASONS.find(([known]) => known.test(code)) ?? [];
  return sentence ?? 'The connection was closed without an answer.';
};

/** Rejects when the signal aborts, even if the work continues. */
const orAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Removes control characters, because the text may reach a log or a terminal, and a character that was cut off. */
const toPlainText = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

/**
 * Posts events to public addresses only. The host name is resolved once, all of its addresses are checked, and the
 * connection goes to the checked addresses.
 */
export const webhookSender = ({
  allowLoopbackHttp,
  toObject,
  now,
  timeoutMs = TIMEOUT_MILLISECONDS,
  quickMs = QUICK_ANSWER,
  resolve = (name) => lookup(name, { all: true }),
  isPublic = isPublicAddress,
}: WebhookSenderOptions): WebhookSender => {
  const resolveAddresses = async (host: string): Promise<readonly LookupAddress[]> => {
    const family = isIP(host);
    return family === 0 ? resolve(host) : [{ address: host, family }];
  };

  const attempt = async (
    endpoint: Parameters<WebhookSender['send']>[0],
    event: WebhookEvent,
    given?: AbortSignal,
  ): Promise<Outcome> => {
    const { url, problem } = checkWebhookUrl(endpoint.url, { allowLoopbackHttp });
    if (problem !== undefined) return failure(`The url ${problem}`);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
    const late = failure(`No answer within ${timeoutMs / 1000} seconds.`);
    const host = readHost(url);
    let addresses: readonly LookupAddress[];
    try {
      addresses = await orAborted(signal, resolveAddresses(host));
    } catch {
      return signal.aborted ? late : failure('The name could not be resolved.');
    }
    if (addresses.length === 0) return failure('The name could not be resolved.');
    const isAllowed = allowLoopbackHttp && isLoopbackHost(host) ? isLoopbackAddress : isPublic;
    if (!addresses.every(({ address }) => isAllowed(address))) return failure('The address is not public.');
    const body = JSON.stringify(toObject(event));
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders(endpoint, { id: event.id, body }, now()),
    };
    try {
      const { statusCode, start } = await post({ url, addresses, headers, body, signal });
      return { statusCode, answer: toPlainText(start) };
    } catch (error) {
      return signal.aborted ? late : failure(describeError(error));
    }
  };

  return {
    send: async (endpoint, event) => {
      const at = now();
      const outcome = await attempt(endpoint, event);
      return { at, durationMs: now() - at, ...outcome };
    },

    sendUnlessSlow: async (endpoint, event, mayWait) => {
      const at = now();
      const aborter = new AbortController();
      let decision = Promise.resolve();
      const decide = async (): Promise<void> => {
        if (!(await mayWait())) aborter.abort();
      };
      const timer = setTimeout(() => {
        decision = decide();
        // The error is thrown below, after the request has ended.
        decision.catch(() => aborter.abort());
      }, quickMs);
      const outcome = await attempt(endpoint, event, aborter.signal);
      const durationMs = now() - at;
      clearTimeout(timer);
      await decision;
      // An answer that arrived during the decision counts.
      if (aborter.signal.aborted && outcome.statusCode === undefined) return undefined;
      return { at, durationMs, ...outcome };
    },
  };
};

export const createWebhookSender = (toObject: WebhookSenderOptions['toObject']): WebhookSender =>
  webhookSender({ ...webhookUrlRules(), toObject, now: Date.now });
